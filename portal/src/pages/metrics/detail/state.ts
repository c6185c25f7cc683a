import { t } from '../../../language/index.ts';

interface Search {
  from?: string | undefined;
  to?: string | undefined;
}

/** The versions of the address; by default the newest and the one before. `known`: newest first. */
export function comparedVersions({ from, to }: Search, known: readonly number[]): { from: number; to: number } {
  const chosen = (text: string | undefined) => known.find((version) => String(version) === text);
  const later = chosen(to) ?? known[0]!;
  return { from: chosen(from) ?? Math.max(1, later - 1), to: later };
}

/** The members of a definition that differ: "changed formula, owner". */
export function changesInWords(changes: readonly { path: string }[]): string {
  const members = new Set(changes.map(({ path }) => /^\w+/.exec(path)?.[0] ?? path));
  return members.size === 0 ? t('changed nothing') : t('changed {members}', { members: [...members].join(', ') });
}

/** A side of a change: texts as they are, other values as JSON; null if the side lacks the member. */
export function sideText(change: object, side: 'before' | 'after'): string | null {
  if (!(side in change)) return null;
  const value = (change as Record<string, unknown>)[side];
  return typeof value === 'string' ? value : JSON.stringify(value, null, 1).replaceAll(/\s+/g, ' ');
}
