import { t } from '../../../language/index.ts';
import { LongText } from '../../../transcript/long-text.tsx';
import { Folded } from '../../../ui/folded.tsx';
import { type Citation, placeText } from '../state/tools/citations.ts';

/** The passages that the model was given, by their numbers. */
export function Citations({ citations }: { citations: readonly Citation[] }) {
  return (
    <ol className="numbered small" aria-label={t('Sources')}>
      {citations.map(({ number, source, text }) => (
        <li key={number} value={number}>
          <Folded summary={<bdi>{[source.name, placeText(source)].filter(Boolean).join(', ')}</bdi>}>
            {() => <LongText text={text} />}
          </Folded>
        </li>
      ))}
    </ol>
  );
}
