import { Link } from '@tanstack/react-router';
import { LOCALE, t } from '../../../language/index.ts';
import type { Found } from '../knowledge.ts';
import { placeInWords, shareOfBest } from '../words.ts';
import { Marked } from './marked.tsx';

interface PassageProps {
  found: Found;
  words: readonly string[];
  /** The score of the best passage. */
  best: number;
}

/** A passage with its citation, which opens the document there. */
export function Passage({ found, words, best }: PassageProps) {
  const { documentId, chunkIndex, text, score, source } = found;
  const place = placeInWords(source);
  const share = shareOfBest(score, best);
  const percent = new Intl.NumberFormat(LOCALE, { style: 'percent' }).format(share);
  return (
    <li className="item passage">
      <div className="item-text">
        <p className="item-title" dir="auto">
          <Link
            to="."
            search={(before) => ({ ...before, document: documentId, passage: String(chunkIndex) })}
            resetScroll={false}
            preload={false}
          >
            {place === '' ? source.name : t('{name}, {place}', { name: source.name, place })}
          </Link>
        </p>
        {source.heading !== undefined && (
          <p className="small muted" dir="auto">
            <Marked text={source.heading} words={words} />
          </p>
        )}
        <p className="passage-text" dir="auto">
          <Marked text={text} words={words} />
        </p>
      </div>
      <div className="passage-score small muted">
        <div className="meter" aria-hidden="true">
          <span style={{ inlineSize: `${share * 100}%` }} />
        </div>
        {share === 1 ? t('best match') : t('{percent} of the best', { percent })}
      </div>
    </li>
  );
}
