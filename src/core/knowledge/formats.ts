/** File extensions that can be ingested. */
export const FORMATS = ['pdf', 'docx', 'txt', 'md', 'json', 'csv'] as const;

export type DocumentFormat = (typeof FORMATS)[number];

const EXTENSIONS: Record<string, DocumentFormat> = {
  pdf: 'pdf',
  docx: 'docx',
  txt: 'txt',
  text: 'txt',
  log: 'txt',
  md: 'md',
  markdown: 'md',
  json: 'json',
  jsonl: 'json',
  ndjson: 'json',
  csv: 'csv',
  tsv: 'csv',
};

/** The format of a file by its extension; null when it is not supported. */
export function formatOf(fileName: string): DocumentFormat | null {
  const extension = /\.([^./\\]+)$/.exec(fileName)?.[1]?.toLowerCase() ?? '';
  return Object.hasOwn(EXTENSIONS, extension) ? EXTENSIONS[extension]! : null;
}
