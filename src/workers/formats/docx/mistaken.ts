import { closeSync, openSync, readSync } from 'node:fs';

const ZIP = 'PK';
const COMPOUND_FILE = '\u00D0\u00CF\u0011\u00E0';
const SECTOR = 512;

/** Null for a zip file. */
export function describeNonZip(path: string): string | null {
  const file = openSync(path, 'r');
  try {
    const head = readAt(file, 0, SECTOR);
    const begin = head.toString('latin1');
    if (begin.startsWith(ZIP)) return null;
    if (head.length === 0) return 'The file is empty. Upload it again.';
    if (begin.startsWith(COMPOUND_FILE)) return ofCompoundFile(file, head);
    if (begin.startsWith('{\\rtf')) return 'The file is RTF, not a DOCX. Save it as DOCX.';
    if (begin.startsWith('%PDF')) return 'The file is a PDF, not a DOCX. Name it .pdf.';
    return 'The file is not a DOCX, which is a zip file of a certain kind. Save the document as DOCX.';
  } finally {
    closeSync(file);
  }
}

/** Old Word files and encrypted new ones are compound files with different directory names. */
function ofCompoundFile(file: number, head: Buffer): string {
  const directory = head.length < 52 ? 0 : head.readUInt32LE(48);
  const names = readAt(file, (directory + 1) * SECTOR, 16 * SECTOR).toString('latin1');
  const isEncrypted = names.includes([...'EncryptedPackage'].join('\0'));
  return isEncrypted
    ? 'The DOCX is protected by a password. Save a copy without one and upload that.'
    : 'The file is in an old Office format (.doc), not a DOCX. Save it as DOCX.';
}

function readAt(file: number, position: number, length: number): Buffer {
  const buffer = Buffer.alloc(length);
  return buffer.subarray(0, readSync(file, buffer, 0, length, position));
}
