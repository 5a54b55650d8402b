/** A time as the viewer's clock shows it; with the date unless it is of the same day. */
export function momentText(epoch: number, now: number): string {
  const date = new Date(epoch);
  const part = (value: number) => String(value).padStart(2, '0');
  const clock = [date.getHours(), date.getMinutes(), date.getSeconds()].map(part).join(':');
  if (date.toDateString() === new Date(now).toDateString()) {
    return clock;
  }
  const day = [date.getFullYear(), part(date.getMonth() + 1), part(date.getDate())].join('-');
  return `${day} ${clock}`;
}
