export const DATE_GROUPINGS = ['hour', 'day', 'week', 'month', 'quarter', 'year'] as const;
export type DateGrouping = (typeof DATE_GROUPINGS)[number];

const UNIT_MS = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000, y: 31_536_000_000 };

/** `30m`, `12h`, `90d`, `4w` or `1y`. */
export const DURATION = /^(\d{1,5})([mhdwy])$/;

export function durationMs(text: string): number | null {
  const [, amount, unit] = DURATION.exec(text) ?? [];
  if (!amount || !unit) return null;
  return Number(amount) * UNIT_MS[unit as keyof typeof UNIT_MS];
}
