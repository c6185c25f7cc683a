import type { Schemas } from '../../../api/schemas.ts';
import { LANGUAGE } from '../../../language/language.ts';
import { type SendingForm, sendingFormOf, sendingOf, sendingPaths } from '../../../sending/state.ts';

type CreateDigest = Schemas['CreateDigest'];

/** A digest as the form holds it. */
export interface DigestForm extends SendingForm {
  contents: 'tab' | 'cards';
  tabId: string;
  cardIds: string[];
}

export function emptyForm(tabId = ''): DigestForm {
  return {
    title: '',
    contents: 'tab',
    tabId,
    cardIds: [],
    every: '0 8 * * 1',
    timezone: '',
    language: LANGUAGE,
    targets: [],
  };
}

export function formOf(digest: Schemas['Digest']): DigestForm {
  const { tabId, cardIds = [] } = digest;
  return {
    ...sendingFormOf(digest),
    contents: tabId === undefined ? 'cards' : 'tab',
    tabId: tabId ?? '',
    cardIds,
  };
}

/** The request for a new digest. A change sends those of its members that differ. */
export function requestOf(form: DigestForm): CreateDigest {
  const { contents, tabId, cardIds } = form;
  return { ...sendingOf(form), ...(contents === 'tab' ? { tabId } : { cardIds: cardIds.filter(Boolean) }) };
}

/** The paths of the fields in the request. */
export function shownPaths(form: DigestForm): string[] {
  return [form.contents === 'tab' ? 'tabId' : 'cardIds', ...sendingPaths(form)];
}
