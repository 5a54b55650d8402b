import type { dh } from '@deephaven/jsapi-types';

/** The Deephaven JS API: what `/jsapi/dh-core.js` exports. */
export type JsApi = typeof dh;

let attempts = 0;

/** Loads the JS API from the server at run time; it is never part of the bundle. */
export async function loadJsApi(origin: string): Promise<JsApi> {
  // A browser may remember that a module failed to load, so a second attempt needs another address.
  const again = attempts++ === 0 ? '' : `?attempt=${attempts}`;
  const module: any = await import(/* @vite-ignore */ `${origin}/jsapi/dh-core.js${again}`);
  return module.default as JsApi;
}
