"""The language of flow files: what a flow is made of, read and checked without any engine."""

from tidegrid.contract.declaration.check import clashes
from tidegrid.contract.declaration.load import parse, read
from tidegrid.contract.declaration.problems import DeclarationError, Problem
from tidegrid.contract.declaration.types import Flow

__all__ = ["DeclarationError", "Flow", "Problem", "clashes", "parse", "read"]
