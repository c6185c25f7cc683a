import { t } from '../../../language/index.ts';

const RULES = [
  `# ${t('Returns and refunds')}`,
  `## ${t('How long does a refund take?')}`,
  t('A refund takes up to five working days after we have approved the return.'),
  `## ${t('Who may return something?')}`,
  t('Anybody who asks within 30 days of the purchase. Gift cards and opened software cannot be returned.'),
  `## ${t('Who pays for the way back?')}`,
  t('We do if the article is damaged or not the one that was ordered; otherwise the customer does.'),
];

/** A document that the page itself can load, with a question that it answers. */
export const SAMPLE = {
  store: 'sample',
  fileName: 'returns.md',
  content: `${RULES.join('\n\n')}\n`,
  question: t('How long does a refund take?'),
};
