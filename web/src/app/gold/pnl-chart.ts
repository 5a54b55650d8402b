import type { Drawing } from '../charts/drawing';
import type { ChartOption } from '../charts/echarts';
import type { Palette } from '../charts/palette';
import { plainText } from '../charts/plain-text';
import { compactText, signedCompactText } from '../live-table/number-text';
import { tooltip } from './chart-parts';
import type { PnlGroup } from './gold-records';

/** How many of the best and of the worst there is room for. */
const EACH_SIDE = 10;

/** Horizontal bars of profit and loss, the best at the top; those between are left out. */
export function pnlDrawing(title: string, groups: readonly PnlGroup[]): Drawing {
  const sorted = [...groups].sort((a, b) => b.pnl - a.pnl);
  const cut = sorted.length > 2 * EACH_SIDE;
  const drawn = cut ? [...sorted.slice(0, EACH_SIDE), ...sorted.slice(-EACH_SIDE)] : sorted;
  return {
    option: (palette) => pnlOption(drawn, palette),
    points: drawn.length,
    text: pnlText(cut ? `${title}, the best and the worst of ${sorted.length}` : title, drawn),
  };
}

/** The bars of sorted groups. */
export function pnlOption(groups: readonly PnlGroup[], palette: Palette): ChartOption {
  const colour = ({ outcome }: PnlGroup) => (outcome === 'Loss' ? palette.down : palette.up);
  return {
    animation: false,
    textStyle: { fontFamily: palette.font },
    grid: { id: 'grid', left: 104, right: 14, top: 6, bottom: 22 },
    tooltip: tooltip(palette, 'item', (hit) => groupText(groups[hit[0]?.index ?? -1])),
    xAxis: {
      id: 'pnl',
      type: 'value',
      splitNumber: 4,
      // Room for the numbers beside the longest bars.
      boundaryGap: ['14%', '14%'],
      axisLabel: { color: palette.muted, fontSize: 11, formatter: axisText, hideOverlap: true },
      splitLine: { lineStyle: { color: palette.line } },
    },
    yAxis: {
      id: 'groups',
      type: 'category',
      inverse: true,
      data: groups.map(({ name }) => plainText(name)),
      axisLine: { show: false },
      axisTick: { show: false },
      axisLabel: {
        color: palette.text,
        fontSize: 11,
        width: 92,
        overflow: 'truncate',
        interval: 0,
        hideOverlap: true,
      },
    },
    series: {
      id: 'bars',
      type: 'bar',
      barCategoryGap: '28%',
      data: groups.map((group) => ({
        value: group.pnl,
        itemStyle: { color: colour(group) },
        label: {
          show: true,
          position: group.pnl < 0 ? 'left' : 'right',
          formatter: () => signedCompactText(group.pnl),
          color: colour(group),
          fontSize: 11,
        },
      })),
    },
  };
}

/** The values in words. */
export function pnlText(title: string, groups: readonly PnlGroup[]): string {
  const list = (outcome: PnlGroup['outcome']) =>
    groups
      .filter((group) => group.outcome === outcome)
      .map(({ name, pnl }) => `${plainText(name)} ${signedCompactText(pnl)}`)
      .join(', ');
  return `${title}. Gain: ${list('Gain') || 'none'}. Loss: ${list('Loss') || 'none'}.`;
}

function groupText(group: PnlGroup | undefined): string {
  if (!group) {
    return '';
  }
  const { name, pnl, mtm, positions, outcome } = group;
  return [
    plainText(name),
    `${outcome} ${signedCompactText(pnl)}`,
    ...(mtm === null ? [] : [`MTM ${compactText(mtm)}`]),
    `${positions.toLocaleString('en-US')} position${positions === 1 ? '' : 's'}`,
  ].join('\n');
}

/** An amount without the zeros behind its point that say nothing. */
export function axisText(value: number): string {
  return compactText(value)
    .replace(/(\.\d*?)0+(?=\D*$)/, '$1')
    .replace(/\.(?=\D*$)/, '');
}
