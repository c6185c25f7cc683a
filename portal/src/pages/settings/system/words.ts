import type { Schemas } from '../../../api/schemas.ts';

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
    count('failed') > 0 && `${count('failed')} failed`,
    warnings > 0 && `${warnings} ${warnings === 1 ? 'warning' : 'warnings'}`,
    `${count('ok')} good`,
  ];
  return parts.filter((part) => part !== false).join(', ');
}

const STEPS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const;

/** "3 days, 4 hours": the two largest parts. */
export function durationWords(ms: number): string {
  let rest = ms;
  const parts = STEPS.map(([name, size]) => {
    const count = Math.floor(rest / size);
    rest -= count * size;
    return count === 0 ? null : `${count} ${name}${count === 1 ? '' : 's'}`;
  });
  const first = parts.findIndex((part) => part !== null);
  if (first < 0) return 'less than a minute';
  return parts
    .slice(first, first + 2)
    .filter((part) => part !== null)
    .join(', ');
}
