import type { Schemas } from '../api/schemas.ts';
import { nextId } from '../question/filters.ts';

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
  { value: 'email', label: 'E-mail' },
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
