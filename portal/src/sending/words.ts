import { t } from '../language/index.ts';

export type SendingNoun = 'alert' | 'digest';

/** Sentences about an alert or a digest, beside those of `NOUNS`. */
export const SENDING_TEXTS = {
  alert: {
    title: t('Alert'),
    created: t('The alert was created'),
    saved: t('The alert was saved'),
    switchedOn: t('The alert is switched on'),
    switchedOff: t('The alert is switched off'),
    askDelete: t('Delete this alert?'),
    deleted: t('The alert was deleted'),
  },
  digest: {
    title: t('Digest'),
    created: t('The digest was created'),
    saved: t('The digest was saved'),
    switchedOn: t('The digest is switched on'),
    switchedOff: t('The digest is switched off'),
    askDelete: t('Delete this digest?'),
    deleted: t('The digest was deleted'),
  },
} satisfies Record<SendingNoun, Record<string, string>>;

/** The people that get a message when it is sent by hand. */
export function whoGets(noun: SendingNoun, { length }: readonly unknown[]): string {
  if (length === 0) return t('It has no targets, so nobody gets a message.');
  return noun === 'digest'
    ? t.count(length, 'Its target gets it at once.', 'Its {count} targets get it at once.')
    : t.count(
        length,
        'Its target gets a message that says it is a test.',
        'Its {count} targets get a message that says it is a test.',
      );
}
