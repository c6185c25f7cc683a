import { once } from 'node:events';
import { createWriteStream, existsSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Random } from '../reviews/random.ts';

const CATEGORIES = ['invoices', 'delivery', 'returns', 'account', 'other'];
const WRITE_CHARACTERS = 1 << 20;

export interface CsvOptions {
  rows: number;
  /** How long the text of a row is; about six characters each. */
  words: number;
}

/** A CSV like an export of a help desk: a number, a category, a title in quotes, a text. Made once in a directory. */
export async function csvFile(
  directory: string,
  { rows, words }: CsvOptions,
): Promise<{ path: string; bytes: number }> {
  const path = join(directory, `help-desk-${rows}x${words}.csv`);
  if (!existsSync(path)) {
    await write(`${path}.part`, rows, words);
    renameSync(`${path}.part`, path);
  }
  return { path, bytes: statSync(path).size };
}

async function write(path: string, rows: number, words: number): Promise<void> {
  const random = new Random(rows);
  const file = createWriteStream(path);
  let text = 'id,category,title,text\n';
  for (let row = 1; row <= rows; row++) {
    const title = `${random.word()}, ${random.word()} ${random.word()}`;
    text += `${row},${random.of(CATEGORIES)},"${title}",${sentence(random, words)}\n`;
    if (text.length < WRITE_CHARACTERS) continue;
    if (!file.write(text)) await once(file, 'drain');
    text = '';
  }
  file.end(text);
  await once(file, 'close');
}

function sentence(random: Random, words: number): string {
  return Array.from({ length: words }, () => random.word()).join(' ');
}
