import { t } from '../../../language/index.ts';
/** Encodings that a person may choose where a file is not Unicode. */
export const ENCODINGS = [
  { value: 'utf-8', label: 'UTF-8' },
  { value: 'utf-16le', label: 'UTF-16' },
  { value: 'windows-1252', label: t('Western (Windows-1252)') },
  { value: 'windows-1250', label: t('Central European (Windows-1250)') },
  { value: 'windows-1251', label: t('Cyrillic (Windows-1251)') },
] as const;
export type EncodingName = (typeof ENCODINGS)[number]['value'];

export interface DecodedText {
  text: string;
  encoding: EncodingName;
  /** Others look alike. */
  isGuess: boolean;
}

/** The text of a file without its byte order mark, with LF at the end of lines. */
export function decode(bytes: Uint8Array, chosen?: EncodingName): DecodedText {
  const encoding = chosen ?? encodingOf(bytes);
  return { text: lines(new TextDecoder(encoding).decode(bytes)), encoding, isGuess: encoding.startsWith('windows') };
}

function encodingOf(bytes: Uint8Array): EncodingName {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return 'utf-8';
  } catch {
    return 'windows-1252';
  }
}

/** Old spreadsheets end lines with a CR alone. */
function lines(text: string): string {
  return text.includes('\n') ? text : text.replaceAll('\r', '\n');
}
