import type { Schemas } from '../api/schemas.ts';
import { t } from '../language/index.ts';
import { nextId } from '../question/filters/filters.ts';
import { cronInWords } from './cron.ts';

type Sending = Pick<Schemas['Alert'], 'title' | 'every' | 'timezone' | 'language' | 'targets'>;

export interface ScheduleForm {
  /** A cron expression. */
  every: string;
  /** Empty: that of the workspace. */
  timezone: string;
}

/** The members that the forms of an alert and of a digest share. */
export interface SendingForm extends ScheduleForm {
  title: string;
  /** The language of the messages. */
  language: Sending['language'];
  targets: TargetRow[];
}

export function sendingFormOf({ title, every, timezone, language, targets }: Sending): SendingForm {
  return { title, every, timezone, language, targets: targetRowsOf(targets) };
}

/** These members in a request. */
export function sendingOf({ title, every, timezone, language, targets }: SendingForm) {
  return {
    title: title.trim(),
    every: every.trim(),
    ...(timezone.trim() !== '' && { timezone: timezone.trim() }),
    language,
    targets: targetsOf(targets),
  };
}

/** The paths of their fields in the request. */
export function sendingPaths({ targets }: SendingForm): string[] {
  return ['title', 'every', 'timezone', 'language', ...targetPaths(targets)];
}

/** Schedules by name. Others are written as cron expressions. */
export const SCHEDULES = [
  { value: '5,20,35,50 * * * *', label: t('Every 15 minutes') },
  { value: '5 * * * *', label: t('Every hour') },
  { value: '0 8 * * *', label: t('Daily at 8:00') },
  { value: '0 8 * * 1-5', label: t('On weekdays at 8:00') },
  { value: '0 8 * * 1', label: t('Mondays at 8:00') },
  { value: '0 8 1 * *', label: t('On the 1st of a month at 8:00') },
] as const;

/** The value of the choice for an expression without a name. */
export const OTHER = '';

/** The choice that stands for a cron expression. */
export function scheduleChoice(every: string): string {
  const normal = every.trim().split(/\s+/).join(' ');
  return SCHEDULES.find(({ value }) => value === normal)?.value ?? OTHER;
}

/** "Daily at 8:00", "Every minute"; null for a text that is not a cron expression. */
export function scheduleInWords(every: string): string | null {
  const named = SCHEDULES.find(({ value }) => value === scheduleChoice(every));
  if (named) return named.label;
  try {
    return cronInWords(every);
  } catch {
    return null;
  }
}

export type Target = NonNullable<Schemas['CreateAlert']['targets']>[number];
export type ShownTarget = Schemas['Alert']['targets'][number];

/** A target as the form holds it. */
export interface TargetRow {
  /** React's key of the row. */
  id: number;
  type: Target['type'];
  url: string;
  /** E-mail addresses, separated by commas. */
  to: string;
}

/** The API's limit. */
export const MAX_TARGETS = 10;

export const TARGET_TYPES = [
  { value: 'webhook', label: 'Webhook' },
  { value: 'slack', label: 'Slack' },
  { value: 'email', label: t('E-mail') },
] as const;

export function newTarget(): TargetRow {
  return { id: nextId(), type: 'webhook', url: '', to: '' };
}

export function targetRowsOf(targets: readonly ShownTarget[]): TargetRow[] {
  return targets.map((target) =>
    target.type === 'email'
      ? { ...newTarget(), type: target.type, to: target.to.join(', ') }
      : { ...newTarget(), type: target.type, url: target.url },
  );
}

export function targetsOf(rows: readonly TargetRow[]): Target[] {
  return rows.map(({ type, url, to }) =>
    type === 'email' ? { type, to: addressesIn(to) } : { type, url: url.trim() },
  );
}

function addressesIn(text: string): string[] {
  return text
    .split(/[\s,;]+/)
    .map((address) => address.trim())
    .filter(Boolean);
}

/** The paths of the fields in the request. */
export function targetPaths(rows: readonly TargetRow[]): string[] {
  const members = rows.map(({ type }, index) => `targets[${index}].${type === 'email' ? 'to' : 'url'}`);
  return ['targets', ...rows.map((_, index) => `targets[${index}]`), ...members];
}

/** "Webhook https://example.com/hooks" */
export function targetInWords(target: ShownTarget): string {
  const { label } = TARGET_TYPES.find(({ value }) => value === target.type)!;
  return `${label} ${target.type === 'email' ? target.to.join(', ') : target.url}`;
}
