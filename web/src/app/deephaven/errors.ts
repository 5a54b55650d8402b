/**
 * What can go wrong between the page and Deephaven, in our own words:
 *
 *   DeephavenError
 *   ├── WrongKeyError        the server is there and refuses the key
 *   ├── UnreachableError     nothing answers at the server's address
 *   ├── TimedOutError        an answer did not come in time
 *   ├── MissingTableError    the server publishes no table of that name
 *   ├── MissingColumnError   the table lacks a column that was asked for
 *   ├── NotConnectedError    there is no session now, so nothing was sent
 *   └── RowRefusedError      the table did not take a row
 */
export class DeephavenError extends Error {
  override name = 'DeephavenError';
}

/** The server is there and refuses the key. */
export class WrongKeyError extends DeephavenError {
  override name = 'WrongKeyError';

  constructor() {
    super('The server does not accept this key.');
  }
}

/** Nothing answers at the server's address. */
export class UnreachableError extends DeephavenError {
  override name = 'UnreachableError';

  constructor(origin: string) {
    super(`No answer from ${origin}. Is the server running?`);
  }
}

/** An answer did not come in time. */
export class TimedOutError extends DeephavenError {
  override name = 'TimedOutError';
}

/** The server publishes no table of that name. */
export class MissingTableError extends DeephavenError {
  override name = 'MissingTableError';

  constructor(table: string) {
    super(`The server publishes no table named ${table}.`);
  }
}

/** The table lacks a column that was asked for. */
export class MissingColumnError extends DeephavenError {
  override name = 'MissingColumnError';

  constructor(table: string, column: string) {
    super(`Table ${table} has no column ${column}.`);
  }
}

/** There is no session now, so nothing was sent. */
export class NotConnectedError extends DeephavenError {
  override name = 'NotConnectedError';

  constructor() {
    super('There is no connection to the server now. Try again when it is back.');
  }
}

/** The table did not take a row. */
export class RowRefusedError extends DeephavenError {
  override name = 'RowRefusedError';

  constructor(table: string, reason: string) {
    super(`Table ${table} did not take the row: ${reason}`);
  }
}

/** A sentence for a viewer about anything that was thrown; the JS API throws strings and events too. */
export function reasonOf(error: unknown): string {
  if (error instanceof Error) {
    return error.message;
  }
  return typeof error === 'string' && error !== '' ? error : 'The server closed the connection.';
}
