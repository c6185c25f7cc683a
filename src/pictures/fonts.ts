import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { invalid } from '../core/base/shared/errors.ts';

/** Throws `invalid` unless `directory` contains fonts. */
export function checkFonts(directory: string): void {
  if (fontsIn(directory)) return;
  throw invalid(
    `fonts (AGENT_RUNTIME_FONTS): ${JSON.stringify(directory)} is not a directory with fonts. It must hold files in TTF or OTF format.`,
  );
}

function fontsIn(directory: string): boolean {
  try {
    return readdirSync(directory, { recursive: true, encoding: 'utf8' }).some((file) => /\.(ttf|otf|ttc)$/i.test(file));
  } catch {
    return false;
  }
}

/** Paths of TTF files: resvg cannot read WOFF. */
export const INTER = [
  import.meta.resolve('@expo-google-fonts/inter/400Regular/Inter_400Regular.ttf'),
  import.meta.resolve('@expo-google-fonts/inter/600SemiBold/Inter_600SemiBold.ttf'),
].map((url) => fileURLToPath(url));

let interCharacters: Set<number> | undefined;

/** Whether Inter has every character of the text. */
export function interHas(text: string): boolean {
  interCharacters ??= charactersOf(readFileSync(INTER[0]!));
  for (const character of text) if (!interCharacters.has(character.codePointAt(0)!)) return false;
  return true;
}

const DIRECTORY_OFFSET = 12;
const RECORD_BYTES = 16;
const GROUP_BYTES = 12;

/** The code points in the `cmap` table of a TrueType font. */
export function charactersOf(font: Buffer): Set<number> {
  const tables = Array.from({ length: font.readUInt16BE(4) }, (_, index) => DIRECTORY_OFFSET + index * RECORD_BYTES);
  const cmap = font.readUInt32BE(tables.find((at) => font.toString('latin1', at, at + 4) === 'cmap')! + 8);
  const subtables = Array.from(
    { length: font.readUInt16BE(cmap + 2) },
    (_, index) => cmap + font.readUInt32BE(cmap + 8 + index * 8),
  );
  // Format 12 has all of Unicode in groups of consecutive characters.
  const groups = subtables.find((at) => font.readUInt16BE(at) === 12)!;
  const characters = new Set<number>();
  for (let index = 0; index < font.readUInt32BE(groups + 12); index++) {
    const at = groups + 16 + index * GROUP_BYTES;
    for (let one = font.readUInt32BE(at); one <= font.readUInt32BE(at + 4); one++) characters.add(one);
  }
  return characters;
}
