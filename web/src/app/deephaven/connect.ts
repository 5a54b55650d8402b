import type { dh } from '@deephaven/jsapi-types';
import { MissingTableError, TimedOutError, UnreachableError, WrongKeyError } from './errors';
import { loadJsApi, type JsApi } from './jsapi';
import { readPageSettings, type PageSettings } from './page-settings';
import type { RemoteTable, Session } from './remote';
import { withTimeout } from './with-timeout';

const PSK_HANDLER = 'io.deephaven.authentication.psk.PskAuthenticationHandler';
const LOGIN_TIMEOUT = 15_000;
const PROBE_TIMEOUT = 5_000;

let api: Promise<JsApi> | null = null;

/**
 * Logs in with the key; throws `UnreachableError` or `WrongKeyError`, which say what to tell a
 * viewer. Before the log-in it tells what the server lets the page do, if that can be read.
 */
export async function connect(
  origin: string,
  psk: string,
  tell: (settings: PageSettings) => void = () => undefined,
): Promise<Session> {
  // The JS API retries a refused socket several times and prints each; one small request first
  // keeps an outage quiet.
  await probe(origin);
  const [jsapi, settings] = await Promise.all([
    loadOnce(origin),
    readPageSettings(origin, PROBE_TIMEOUT),
  ]);
  if (settings) {
    tell(settings);
  }
  const client = new jsapi.CoreClient(origin);
  try {
    const login = client.login({ type: PSK_HANDLER, token: psk });
    await withTimeout(login, LOGIN_TIMEOUT, 'Log-in');
  } catch (error) {
    quietly(() => client.disconnect());
    // A refused log-in comes as a bare "disconnect" event, and so does a dropped connection.
    const refused = !(error instanceof TimedOutError) && (await answers(jsapi, origin));
    throw refused ? new WrongKeyError() : new UnreachableError(origin);
  }
  return openSession(jsapi, client, await client.getAsIdeConnection());
}

/** Loads the JS API, so that a log-in need not wait for it; if that fails, the log-in says so. */
export function prepare(origin: string): void {
  loadOnce(origin).catch(() => undefined);
}

/** Whether the server answers what needs no log-in, over the same kind of connection. */
async function answers(jsapi: JsApi, origin: string): Promise<boolean> {
  const client = new jsapi.CoreClient(origin);
  try {
    await withTimeout(client.getAuthConfigValues(), PROBE_TIMEOUT, 'Server');
    return true;
  } catch {
    return false;
  } finally {
    quietly(() => client.disconnect());
  }
}

async function probe(origin: string): Promise<void> {
  const url = `${origin}/js-plugins/manifest.json`;
  try {
    const signal = AbortSignal.timeout(PROBE_TIMEOUT);
    const response = await fetch(url, { cache: 'no-store', signal });
    if (!response.ok) {
      throw new UnreachableError(origin);
    }
  } catch {
    throw new UnreachableError(origin);
  }
}

async function loadOnce(origin: string): Promise<JsApi> {
  api ??= loadJsApi(origin);
  try {
    return await api;
  } catch {
    api = null;
    throw new UnreachableError(origin);
  }
}

function openSession(jsapi: JsApi, client: dh.CoreClient, ide: dh.IdeConnection): Session {
  const listeners = new Set<() => void>();
  let over = false;
  const lost = () => {
    if (!over) {
      over = true;
      listeners.forEach((listener) => listener());
    }
  };
  ide.addEventListener(jsapi.IdeConnection.EVENT_DISCONNECT, lost);
  ide.addEventListener(jsapi.IdeConnection.EVENT_SHUTDOWN, lost);
  // The session has expired. The names are the client's, but it is the connection that fires.
  ide.addEventListener(jsapi.CoreClient.EVENT_RECONNECT_AUTH_FAILED, lost);
  // Without a listener the JS API writes failed requests to the console.
  ide.addEventListener(jsapi.CoreClient.EVENT_REQUEST_FAILED, () => undefined);
  return {
    api: jsapi,
    openTable: (name) => openTable(ide, name),
    check: () => ide.getConsoleTypes(),
    onLost: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    close: () => {
      over = true;
      quietly(() => ide.close());
      quietly(() => client.disconnect());
    },
  };
}

async function openTable(ide: dh.IdeConnection, name: string): Promise<RemoteTable> {
  try {
    return (await ide.getTable(name)) as RemoteTable;
  } catch (error) {
    // The JS API waits 10 s for a table of that name to be published, then throws a text.
    throw typeof error === 'string' && error.startsWith('Timeout')
      ? new MissingTableError(name)
      : error;
  }
}

/** Runs a clean-up that may throw on an object whose connection is already gone. */
function quietly(action: () => void): void {
  try {
    action();
  } catch {
    // Nothing is left to clean up.
  }
}
