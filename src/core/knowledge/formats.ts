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

/** Null when the extension is not supported. */
export function formatOf(fileName: string): DocumentFormat | null {
  const extension = /\.([^./\\]+)$/.exec(fileName)?.[1]?.toLowerCase() ?? '';
  return Object.hasOwn(EXTENSIONS, extension) ? EXTENSIONS[extension]! : null;
}
