const MAX_LENGTH = 255;

/** Control characters, and bidirectional overrides that show `vsc.exe` as `exe.csv`. */
const INVISIBLE = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu;

/** For display and citation, never a path: no directories, at most 255 characters. */
export function plainFileName(sent: string): string {
  const name = sent
    .replace(INVISIBLE, '')
    .replace(/^.*[/\\]/s, '')
    .trim()
    .toWellFormed();
  if (name.length <= MAX_LENGTH) return name;
  const extension = /\.[^.]{1,20}$/.exec(name)?.[0] ?? '';
  const stem = name.slice(0, MAX_LENGTH - extension.length).replace(/[\ud800-\udbff]$/, '');
  return (stem + extension).trimEnd();
}
