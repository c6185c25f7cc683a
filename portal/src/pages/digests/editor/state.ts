import type { Schemas } from '../../../api/schemas.ts';
import {
  SCHEDULE_PATHS,
  type ScheduleForm,
  type TargetRow,
  targetPaths,
  targetRowsOf,
  targetsOf,
} from '../../../sending/state.ts';

type CreateDigest = Schemas['CreateDigest'];

/** A digest as the form holds it. */
export interface DigestForm extends ScheduleForm {
  title: string;
  contents: 'tab' | 'cards';
  tabId: string;
  cardIds: string[];
  targets: TargetRow[];
}

export function emptyForm(tabId = ''): DigestForm {
  return { title: '', contents: 'tab', tabId, cardIds: [], every: '0 8 * * 1', timezone: '', targets: [] };
}

export function formOf({ title, tabId, cardIds, every, timezone, targets }: Schemas['Digest']): DigestForm {
  return {
    title,
    contents: tabId === undefined ? 'cards' : 'tab',
    tabId: tabId ?? '',
    cardIds: cardIds ?? [],
    every,
    timezone,
    targets: targetRowsOf(targets),
  };
}

/** The request for a new digest. A change sends those of its members that differ. */
export function requestOf({ title, contents, tabId, cardIds, every, timezone, targets }: DigestForm): CreateDigest {
  return {
    title: title.trim(),
    ...(contents === 'tab' ? { tabId } : { cardIds: cardIds.filter(Boolean) }),
    every: every.trim(),
    ...(timezone.trim() !== '' && { timezone: timezone.trim() }),
    targets: targetsOf(targets),
  };
}

/** The paths of the fields in the request. */
export function shownPaths({ contents, targets }: DigestForm): string[] {
  return ['title', contents === 'tab' ? 'tabId' : 'cardIds', ...SCHEDULE_PATHS, ...targetPaths(targets)];
}
