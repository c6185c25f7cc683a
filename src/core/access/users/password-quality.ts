import type { ZxcvbnFactory } from '@zxcvbn-ts/core';
import { unprocessable } from '../../base/shared/errors.ts';

/** Powers of ten: very unguessable for zxcvbn, even with a stolen hash. */
const LEAST_GUESSES = 10;
/** Characters: the estimate takes more than linear time. */
const MAX_ESTIMATED = 64;

let estimator: Promise<ZxcvbnFactory> | undefined;

export async function refuseWeak(password: string, { email, name }: { email: string; name: string }): Promise<void> {
  estimator ??= loadEstimator();
  const words = [...email.split('@', 1), ...email.split(/[@.+_-]/), ...name.split(/\s+/)];
  const personal = [email, name, ...words].filter((text) => text.length > 2);
  const start = [...password.normalize('NFC')].slice(0, MAX_ESTIMATED).join('');
  const { guessesLog10, feedback } = (await estimator).check(start, personal);
  if (guessesLog10 >= LEAST_GUESSES) return;
  const reason = REASONS[feedback.warning ?? ''] ?? 'it is a common word or pattern with little beside it';
  throw unprocessable(
    `password: is easy to guess, because ${reason}. Use several words that do not belong together, or a password manager.`,
  );
}

const REASONS: Record<string, string> = {
  simpleRepeat: 'it repeats itself',
  extendedRepeat: 'it repeats itself',
  sequences: 'it counts on',
  straightRow: 'its keys lie in a row',
  keyPattern: 'its keys form a pattern',
  dates: 'it is a date',
  recentYears: 'it is a date',
  topTen: 'it is one of the commonest passwords',
  topHundred: 'it is one of the commonest passwords',
  common: 'it is a common password',
  similarToCommon: 'it is like a common password',
  userInputs: 'it is made of the e-mail or the name',
};

/** Takes 0.1 s and 20 MB, so it is loaded when the first password is set. */
async function loadEstimator(): Promise<ZxcvbnFactory> {
  const [{ ZxcvbnFactory }, { adjacencyGraphs, dictionary }] = await Promise.all([
    import('@zxcvbn-ts/core'),
    import('@zxcvbn-ts/language-common'),
  ]);
  // Without the list of diceware words: four of them make a good password.
  return new ZxcvbnFactory({ dictionary: { passwords: dictionary['passwords-common'] }, graphs: adjacencyGraphs });
}
