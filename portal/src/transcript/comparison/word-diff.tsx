import { useMemo } from 'react';
import { t } from '../../language/index.ts';
import { compare, type Part } from './compare.ts';

interface WordDiffProps {
  before: string;
  after: string;
  /** Names what is compared: "The answer and its correction". */
  label: string;
}

/** Two texts in one, in which removals and additions are marked by words and colours. */
export function WordDiff({ before, after, label }: WordDiffProps) {
  const comparison = useMemo(() => compare(before, after), [before, after]);
  if (before === after) return <p className="muted">{t('Nothing was changed.')}</p>;
  if (comparison === null) return <p className="muted">{t('The texts are too long or too different to compare.')}</p>;
  return (
    <section className="literal word-diff" aria-label={label} dir="auto">
      {comparison.parts.map((part, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: parts have no ids
        <Change key={index} part={part} />
      ))}
    </section>
  );
}

function Change({ part: { kind, text } }: { part: Part }) {
  if (kind === 'same') return text;
  const Tag = kind === 'added' ? 'ins' : 'del';
  return (
    <Tag>
      <span className="visually-hidden"> [{kind === 'added' ? t('added') : t('removed')}: </span>
      {text}
      <span className="visually-hidden">] </span>
    </Tag>
  );
}
