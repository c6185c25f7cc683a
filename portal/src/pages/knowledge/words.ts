import { LOCALE, t } from '../../language/index.ts';
import type { Found, Job } from './knowledge.ts';

const LISTED = new Intl.ListFormat(LOCALE, { type: 'disjunction' });

/** The formats that a file may have: "pdf, md, or csv". */
export const formatsInWords = (extensions: readonly string[]) => LISTED.format(extensions);

export const documentsInWords = (count: number) => t.count(count, '{count} document', '{count} documents');
export const chunksInWords = (count: number) => t.count(count, '{count} chunk', '{count} chunks');

/** "Page 12": what a reader looks for in the file. Empty where the format has no such places. */
export function placeInWords({ page, row, line }: Pick<Found['source'], 'page' | 'row' | 'line'>): string {
  if (page !== undefined) return t('Page {page}', { page });
  if (row !== undefined) return t('Row {row}', { row });
  return line === undefined ? '' : t('Line {line}', { line });
}

/** The present stage of the file. */
export function stageOf({ status, progress, processedChunks, totalChunks }: Job, embeds: boolean): string {
  if (status === 'queued') return t('Waits for its turn');
  if (status === 'completed') return t('Can be found');
  if (status === 'failed') return t('Failed');
  if (processedChunks === 0) return t('The file is read');
  const share = new Intl.NumberFormat(LOCALE, { style: 'percent' }).format(progress);
  const values = { processed: processedChunks, total: totalChunks, share };
  return embeds
    ? t('Embedded and indexed: {processed} of about {total} chunks, {share}', values)
    : t('Indexed: {processed} of about {total} chunks, {share}', values);
}

/** Why a file failed. The server says what to do; a cancelled job says nothing else. */
export function failureOf({ error }: Job): string {
  return error === 'cancelled' ? t('It was cancelled. Upload it again to have it in the store.') : (error ?? '');
}

/** How good a passage is beside the best one: scores are comparable within one answer only. */
export function shareOfBest(score: number, best: number): number {
  return best <= 0 ? 0 : Math.max(0, Math.min(1, score / best));
}
