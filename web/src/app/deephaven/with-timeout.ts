import { TimedOutError } from './errors';

/** Rejects with `TimedOutError` when the promise has not settled in time; a late value goes to `late`. */
export function withTimeout<T>(
  promise: Promise<T>,
  milliseconds: number,
  what: string,
  late?: (value: T) => void,
): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    let timedOut = false;
    const timer = setTimeout(() => {
      timedOut = true;
      reject(new TimedOutError(`${what}: no answer within ${Math.round(milliseconds / 1000)} s.`));
    }, milliseconds);
    promise.then(
      (value) => {
        clearTimeout(timer);
        if (timedOut) {
          late?.(value);
        } else {
          resolve(value);
        }
      },
      (error: unknown) => {
        clearTimeout(timer);
        reject(error as Error);
      },
    );
  });
}
