import { t } from '../../../language/index.ts';
import { bytesText } from '../../../transcript/figures.ts';
import type { UploadLimits } from '../knowledge.ts';
import { formatsInWords } from '../words.ts';
import type { PickedFile } from './files.ts';

/** Why the server would refuse each file, so that it need not be sent; undefined: it would take it. */
export function refusalsOf(files: readonly PickedFile[], limits: UploadLimits | undefined): (string | undefined)[] {
  if (limits === undefined) return files.map(() => undefined);
  const { documentBytes, storedBytes } = limits;
  let left = documentBytes === null ? Number.POSITIVE_INFINITY : documentBytes - (storedBytes ?? 0);
  return files.map(({ path, file: { size } }) => {
    const refusal = refusalOf(path, size, limits);
    if (refusal !== undefined) return refusal;
    if (size > left) {
      return t('The quota of documents has room for {left} more. Delete documents, or ask the operator for more.', {
        left: bytesText(Math.max(0, left)),
      });
    }
    left -= size;
    return undefined;
  });
}

function refusalOf(path: string, size: number, { extensions, fileBytes }: UploadLimits): string | undefined {
  const extension = /\.([^./\\]+)$/.exec(path)?.[1]?.toLowerCase() ?? '';
  if (!extensions.includes(extension)) {
    return t('Such a file cannot be read. Files may be {formats}.', { formats: formatsInWords(extensions) });
  }
  if (size === 0) return t('The file is empty.');
  if (size <= fileBytes) return undefined;
  return t('The file has {size}, and one may have {most}. Split it, or ask the operator for a higher limit.', {
    size: bytesText(size),
    most: bytesText(fileBytes),
  });
}

const MOST_SOURCE = 200;

/** The fields of an upload by which a later file of the same path replaces this one. */
export function sourceFields(path: string): { metadata: string } {
  return { metadata: JSON.stringify({ sourceId: [...path].slice(-MOST_SOURCE).join('') }) };
}
