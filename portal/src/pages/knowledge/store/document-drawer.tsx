import { keepPreviousData } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { api, type Schemas } from '../../../api/client.ts';
import { t } from '../../../language/index.ts';
import { bytesText } from '../../../transcript/figures.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { Facts } from '../../../ui/facts.tsx';
import { QueryState } from '../../../ui/states.tsx';
import { Time } from '../../../ui/time.tsx';
import { useSetSearch } from '../../../ui/use-set-search.ts';
import { DOCUMENT } from '../knowledge.ts';
import { withoutOverlap } from '../marks.ts';
import { WINDOW, windowAround } from '../state.ts';
import { placeInWords } from '../words.ts';
import { useAnswer } from './answer.ts';
import { Marked } from './marked.tsx';

const route = getRouteApi('/shell/knowledge/$store');

type ReadDocument = Schemas['Document'] & { passages: PassageOfDocument[] };
interface PassageOfDocument {
  chunkIndex: number;
  text: string;
  page?: number;
  row?: number;
  line?: number;
  heading?: string;
}

/** A document, a few passages at a time; at first those around the cited one. */
export function DocumentDrawer({ store: name, documentId }: { store: string; documentId: string }) {
  const { passage } = route.useSearch();
  const [from, setFrom] = useState(windowAround(passage));
  const params = { path: { name, documentId }, query: { from, limit: WINDOW } };
  const query = api.useQuery('get', DOCUMENT, { params }, { placeholderData: keepPreviousData });
  const setSearch = useSetSearch();
  const close = () => setSearch({ document: undefined, passage: undefined }, { replace: true, resetScroll: false });
  const { data } = query;
  return (
    <Dialog open onClose={close} title={data?.name ?? t('Document')} place="side">
      <QueryState query={query} height={320} />
      {data && (
        <>
          <DocumentFacts document={data} />
          <Passages document={data} cited={passage === undefined ? null : Number(passage)} />
          <div className="row">
            <Button disabled={from === 0} onClick={() => setFrom(Math.max(0, from - WINDOW))}>
              {t('Earlier text')}
            </Button>
            <Button disabled={from + WINDOW >= data.chunks} onClick={() => setFrom(from + WINDOW)}>
              {t('Later text')}
            </Button>
            <span role="status" className="small muted">
              {t('Passages {first} to {last} of {total}', {
                first: from + 1,
                last: Math.min(from + WINDOW, data.chunks),
                total: data.chunks,
              })}
            </span>
          </div>
        </>
      )}
      <div className="dialog-foot">
        <Button onClick={close}>{t('Close')}</Button>
      </div>
    </Dialog>
  );
}

function DocumentFacts({ document }: { document: Schemas['Document'] }) {
  const { format, size, createdAt, metadata } = document;
  const given = Object.entries(metadata);
  return (
    <Facts
      label={t('Document')}
      facts={{
        [t('Format')]: format,
        [t('Size')]: bytesText(size),
        [t('Added')]: <Time iso={createdAt} />,
        [t('Metadata')]: given.length > 0 && given.map(([key, value]) => `${key}: ${textOf(value)}`).join(' · '),
      }}
    />
  );
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function Passages({ document: { passages }, cited }: { document: ReadDocument; cited: number | null }) {
  const { data } = useAnswer();
  const target = useRef<HTMLElement>(null);
  const isHere = passages.some(({ chunkIndex }) => chunkIndex === cited);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the cited passage comes into view once it is there
  useEffect(() => target.current?.scrollIntoView({ block: 'center' }), [isHere]);
  return passages.map((passage, index) => {
    const { chunkIndex, text, heading } = passage;
    const isCited = chunkIndex === cited;
    const place = [placeInWords(passage), heading].filter(Boolean).join(' · ');
    return (
      <section
        key={chunkIndex}
        ref={isCited ? target : undefined}
        className={isCited ? 'read-passage cited' : 'read-passage'}
        aria-label={isCited ? t('The cited passage') : t('Passage {number}', { number: chunkIndex + 1 })}
      >
        {place !== '' && (
          <p className="small muted">
            {isCited && <strong>{t('Cited:')} </strong>}
            {place}
          </p>
        )}
        <p className="passage-text" dir="auto">
          <Marked text={withoutOverlap(passages[index - 1]?.text, text)} words={isCited ? (data?.words ?? []) : []} />
        </p>
      </section>
    );
  });
}
