import { countText } from './number-text';

/** The time of day in hours, minutes and seconds, by the viewer's clock. */
export function secondText(epoch: number): string {
  const date = new Date(epoch);
  return [date.getHours(), date.getMinutes(), date.getSeconds()].map((v) => part(v)).join(':');
}

/** The time of day in hours and minutes. */
export function minuteText(epoch: number): string {
  return secondText(epoch).slice(0, 5);
}

/** The time of day with milliseconds. */
export function millisecondText(epoch: number): string {
  return `${secondText(epoch)}.${part(new Date(epoch).getMilliseconds(), 3)}`;
}

/** A day as ISO writes it. */
export function dateText(epoch: number): string {
  const date = new Date(epoch);
  const parts = [part(date.getFullYear(), 4), part(date.getMonth() + 1), part(date.getDate())];
  return parts.join('-');
}

/** A day and its time with milliseconds. */
export function dateTimeText(epoch: number): string {
  return `${dateText(epoch)} ${millisecondText(epoch)}`;
}

/** A day and its time as an input of date and time takes them. */
export function inputTimeText(epoch: number): string {
  return `${dateText(epoch)}T${secondText(epoch)}`;
}

/** A time as the viewer's clock shows it; with the date unless it is of the same day. */
export function momentText(epoch: number, now: number): string {
  const clock = secondText(epoch);
  return dateText(epoch) === dateText(now) ? clock : `${dateText(epoch)} ${clock}`;
}

/** A length of time in few characters. */
export function ageText(milliseconds: number): string {
  if (milliseconds < 10_000) {
    return `${(Math.max(0, milliseconds) / 1000).toFixed(1)} s`;
  }
  const seconds = Math.floor(milliseconds / 1000);
  if (seconds < 120) {
    return `${seconds} s`;
  }
  const minutes = Math.floor(seconds / 60);
  return minutes < 120 ? `${minutes} min` : `${Math.floor(minutes / 60)} h`;
}

/** How long something took: whole milliseconds, from a second on tenths of seconds. */
export function tookText(milliseconds: number): string {
  return milliseconds < 1_000
    ? millisecondsText(milliseconds)
    : `${(milliseconds / 1_000).toFixed(1)} s`;
}

/** A latency in whole milliseconds. */
export function millisecondsText(value: number): string {
  return `${countText(Math.round(value))} ms`;
}

function part(value: number, digits = 2): string {
  return String(value).padStart(digits, '0');
}
