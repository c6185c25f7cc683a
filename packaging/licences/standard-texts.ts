import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../paths.ts';

/** A file with the text of each licence; `HOLDER` stands for the copyright holder. */
const TEXTS: Record<string, string> = {
  MIT: 'packaging/licences/MIT.txt',
  'MIT OR Apache-2.0': 'packaging/licences/MIT.txt',
  ISC: 'packaging/licences/ISC.txt',
  'Apache-2.0': 'node_modules/@aws-sdk/client-bedrock-runtime/LICENSE',
  'MPL-2.0': 'node_modules/@resvg/resvg-js/LICENSE',
  'BSD-3-Clause': 'packaging/licences/BSD-3-Clause.txt',
};

/** For packages that declare a licence without its text. */
export function standardText(spdx: string, holder: string): string {
  const file = TEXTS[spdx];
  if (file === undefined) throw new Error(`There is no text of the licence ${spdx}. Add it to packaging/licences.`);
  return readFileSync(join(ROOT, file), 'utf8').replace('HOLDER', () => holder);
}
