import type { Schemas } from '../../../api/schemas.ts';
import { t } from '../../../language/index.ts';

export const SYSTEM = '/api/v1/portal/system';
export const DOCTOR = '/api/v1/portal/system/doctor';

export type Finding = Schemas['DoctorReport']['findings'][number];

const WEIGHT: Record<Finding['status'], number> = { failed: 0, warning: 1, ok: 2 };

/** Failures first, then warnings; those alike stay in the order of the checks. */
export function worstFirst(findings: readonly Finding[]): Finding[] {
  return findings.toSorted((one, other) => WEIGHT[one.status] - WEIGHT[other.status]);
}

/** "2 failed, 1 warning, 30 good". */
export function summaryOf(findings: readonly Finding[]): string {
  const count = (status: Finding['status']) => findings.filter((one) => one.status === status).length;
  const warnings = count('warning');
  const parts = [
    count('failed') > 0 && t.count(count('failed'), '{count} failed', '{count} failed'),
    warnings > 0 && t.count(warnings, '{count} warning', '{count} warnings'),
    t.count(count('ok'), '{count} good', '{count} good'),
  ];
  return parts.filter((part) => part !== false).join(', ');
}

const STEPS: readonly [size: number, words: (count: number) => string][] = [
  [86_400_000, (count) => t.count(count, '{count} day', '{count} days')],
  [3_600_000, (count) => t.count(count, '{count} hour', '{count} hours')],
  [60_000, (count) => t.count(count, '{count} minute', '{count} minutes')],
];

/** "3 days, 4 hours": the two largest parts. */
export function durationWords(ms: number): string {
  let rest = ms;
  const parts = STEPS.map(([size, words]) => {
    const count = Math.floor(rest / size);
    rest -= count * size;
    return count === 0 ? null : words(count);
  });
  const first = parts.findIndex((part) => part !== null);
  if (first < 0) return t('less than a minute');
  return parts
    .slice(first, first + 2)
    .filter((part) => part !== null)
    .join(', ');
}
