"""What can go wrong, as types a caller can tell apart.

Every message says what was wrong, where, and what to do about it; the command line prints it as
one line and exits with `exit_code`.

* TidegridError
  + SettingsError        a setting, a flag or an environment variable is not usable
  + MachineError         this machine lacks something: Java, a free port, disk, a built page
  + KafkaError           the broker cannot be reached, or refused what was asked
  + PipelineError        Spark cannot run the queries
  + TablesError          Deephaven cannot run the tables
  + PartError            a part of the stack ended although nobody asked it to
  + SwapError            what a control message asked for was refused, or failed
  + FlowError            a flow file cannot be used
"""


class TidegridError(Exception):
    """Anything Tidegrid reports to its user."""

    exit_code = 1


class SettingsError(TidegridError):
    """A setting, a flag or an environment variable is not usable."""

    exit_code = 2


class MachineError(TidegridError):
    """This machine lacks something that is needed."""

    exit_code = 3


class KafkaError(TidegridError):
    """The broker cannot be reached, or refused what was asked."""

    exit_code = 4


class PipelineError(TidegridError):
    """Spark cannot run the queries."""

    exit_code = 5


class TablesError(TidegridError):
    """Deephaven cannot run the tables."""

    exit_code = 6


class PartError(TidegridError):
    """A part of the stack ended although nobody asked it to."""

    exit_code = 7


class SwapError(TidegridError):
    """What a control message asked for was refused, or failed."""

    exit_code = 8


class FlowError(TidegridError):
    """A flow file cannot be used; a line for each problem."""

    exit_code = 9


def first_line(error: Exception) -> str:
    """Return the first line of an error that says something."""
    return next((line for line in str(error).splitlines() if line.strip()), repr(error))
