import { readdirSync } from 'node:fs';
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
