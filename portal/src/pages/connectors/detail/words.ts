import type { Schemas } from '../../../api/schemas.ts';
import { t } from '../../../language/index.ts';

/** The outcome of a call in a sentence. */
export function outcomeInWords(call: Schemas['TriedCall']['call']): string {
  const { metadata } = call;
  if (call.success) return metadata?.mocked ? t('The mock answered.') : t('The API answered.');
  if (metadata === undefined) return t('The call was refused.');
  if (metadata.status !== null) return t('The API answered {status}.', { status: String(metadata.status) });
  return metadata.attempts === 0 ? t('The call was not made.') : t('The API did not answer.');
}

/** The state of a circuit in a sentence. */
export function circuitInWords({ state, failures, retryInMs }: Schemas['Circuit']): string {
  const seconds = Math.ceil(retryInMs / 1_000);
  if (state === 'open') {
    return t.count(
      seconds,
      'Calls fail without an attempt for {count} second, after {failures} failures in a row.',
      'Calls fail without an attempt for {count} seconds, after {failures} failures in a row.',
      { failures },
    );
  }
  if (state === 'half-open') return t('The next call decides whether calls are made again.');
  if (failures === 0) return t('Calls are made.');
  return failures === 1
    ? t('Calls are made; the last attempt failed.')
    : t('Calls are made; the last {count} attempts failed.', { count: failures });
}

/** In English and JSON, a token has about four characters. */
const CHARACTERS_PER_TOKEN = 4;

export function tokensOf(value: unknown): number {
  return Math.ceil(JSON.stringify(value).length / CHARACTERS_PER_TOKEN);
}
