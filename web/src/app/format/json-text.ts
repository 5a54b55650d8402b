/** Deeper than this, indentation would be longer than what is indented. */
const DEEPEST = 100;
/** A string, a bracket, comma or colon, or a number or word; what is between them is white space. */
const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],:]|[^\s{}[\],:"]+/g;

/**
 * JSON with a line for each value; null if it is no object or list of JSON. Numbers keep all their
 * digits and names that are there twice stay, since the text is not written anew from what it means.
 */
export function jsonText(text: string): string | null {
  const tokens = isStructure(text) ? (text.match(TOKEN) ?? []) : [];
  const lines: string[] = [];
  let line = '';
  let depth = 0;
  const next = () => {
    lines.push(line);
    line = '  '.repeat(depth);
  };
  for (const [place, token] of tokens.entries()) {
    if (isOpening(token)) {
      depth += 1;
      line += token;
      if (depth > DEEPEST) {
        return null;
      }
      if (!isClosing(tokens[place + 1])) {
        next();
      }
    } else if (isClosing(token)) {
      depth -= 1;
      if (!isOpening(tokens[place - 1])) {
        next();
      }
      line += token;
    } else {
      line += token === ':' ? ': ' : token;
      if (token === ',') {
        next();
      }
    }
  }
  return tokens.length > 0 ? [...lines, line].join('\n') : null;
}

/** Whether a text is an object or a list of JSON. */
function isStructure(text: string): boolean {
  try {
    const held: unknown = JSON.parse(text);
    return typeof held === 'object' && held !== null;
  } catch {
    return false;
  }
}

function isOpening(token: string | undefined): boolean {
  return token === '{' || token === '[';
}

function isClosing(token: string | undefined): boolean {
  return token === '}' || token === ']';
}
