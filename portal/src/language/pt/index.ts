import type { Translations } from '../../../../src/language/translate.ts';
import { common } from './common.ts';
import { credentials } from './credentials.ts';
import { shell } from './shell.ts';

/** Every text of the pages in Portuguese, as it is written in Brazil. */
export const PORTUGUESE = { ...common, ...shell, ...credentials } satisfies Translations;
export type Portuguese = typeof PORTUGUESE;
