import { mergedWith } from '../../../editor/values.ts';
import type { Draft } from './definition.ts';

/** Members and resources that only somebody else has changed since `start` are theirs. */
export function mergedDraft(mine: Draft, start: Draft, theirs: Draft): Draft {
  const resources = withoutRemoved(mergedWith(mine.resources ?? {}, start.resources ?? {}, theirs.resources ?? {}));
  return { ...withoutRemoved(mergedWith(mine, start, theirs)), resources };
}

/** A member that one side has removed is undefined after merging. */
function withoutRemoved<Members extends object>(members: Members): Members {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as Members;
}

const MAX_TEXT = 120;

interface MemberDifference {
  label: string;
  mine: string;
  theirs: string;
}

/** For `BothVersions`: members by name, and each resource by its slug. */
export function differencesOf(mine: Draft, theirs: Draft): MemberDifference[] {
  const { resources: mineBySlug = {}, ...mineOthers } = mine;
  const { resources: theirsBySlug = {}, ...theirsOthers } = theirs;
  return [...compared(mineOthers, theirsOthers), ...compared(mineBySlug, theirsBySlug)];
}

function compared(mine: Record<string, unknown>, theirs: Record<string, unknown>): MemberDifference[] {
  const names = [...new Set([...Object.keys(mine), ...Object.keys(theirs)])];
  const differing = names.filter((name) => JSON.stringify(mine[name]) !== JSON.stringify(theirs[name]));
  return differing.map((label) => ({ label, mine: shortText(mine[label]), theirs: shortText(theirs[label]) }));
}

function shortText(value: unknown): string {
  const text = value === undefined ? '' : typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT).toWellFormed()} …` : text;
}
