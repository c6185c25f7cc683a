const MAX_LENGTH = 255;

/** Control characters, and those that turn the direction of what stands after them: `exe.csv` for what is `vsc.exe`. */
const INVISIBLE = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu;

/**
 * A file's name as it is shown and cited: without the folders that it had, which some browsers send, and without what cannot be
 * seen. It never names a file of ours. Of one that is too long the extension stays.
 */
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
