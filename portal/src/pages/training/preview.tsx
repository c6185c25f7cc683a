import { useQuery } from '@tanstack/react-query';
import { t } from '../../language/index.ts';
import { Section } from '../../ui/page-head.tsx';
import { QueryState } from '../../ui/states.tsx';
import { cut, firstCharacters, type Preview, previewOf, SPEAKERS, turnsOf } from './examples.ts';
import { type ExportQuery, openExport } from './export.ts';
import { type Format, isDocument, lengthText } from './formats.ts';

const MOST_OF_TURN = 2_000;
const MOST_OF_LINE = 8_000;
const MOST_OF_SUMMARY = 80;

const TEXTS = {
  lines: {
    title: t('The first lines'),
    cut: t('The next line is too long for a preview. It is in the download.'),
  },
  examples: {
    title: t('The first examples'),
    cut: t('The next example is too long for a preview. It is in the download.'),
  },
};

/** The beginning of the file: each example for people, and as it is written. */
export function FirstExamples({ query: asked, total }: { query: ExportQuery; total: number }) {
  const { format } = asked;
  const query = useQuery<Preview>({
    queryKey: ['training preview', asked],
    queryFn: async ({ signal }) => previewOf(await openExport(asked, signal), format),
  });
  const { data } = query;
  const texts = isDocument(format) ? TEXTS.examples : TEXTS.lines;
  return (
    <Section id="preview" title={texts.title} className="stack">
      <QueryState query={query} height={320} />
      {data?.examples.map((example, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: examples have no ids, and change as a whole
        <Example key={index} number={index + 1} format={format} example={example} />
      ))}
      {data?.isCut && <p className="notice">{texts.cut}</p>}
      {data && data.examples.length > 0 && (
        <p className="small muted">
          {t('{shown} of {all}', { shown: data.examples.length, all: lengthText(total, format) })}
        </p>
      )}
    </Section>
  );
}

/** The first one is open. */
function Example({ number, format, example }: { number: number; format: Format; example: string }) {
  const turns = turnsOf(example);
  const name = isDocument(format) ? t('Example {number}', { number }) : t('Line {number}', { number });
  const asked = (turns.find(({ who }) => who === SPEAKERS.user) ?? turns[0])?.text.replace(/\s+/g, ' ') ?? '';
  const isLong = asked.length > MOST_OF_SUMMARY;
  return (
    <details className="panel example" open={number === 1}>
      <summary dir="auto">
        <strong>{name}</strong> {isLong ? `${firstCharacters(asked, MOST_OF_SUMMARY)} …` : asked}
      </summary>
      <div className="example-sides">
        <section className="example-side" tabIndex={0} aria-label={t('{name} as a conversation', { name })}>
          <Turns turns={turns} />
        </section>
        <section className="example-side" tabIndex={0} aria-label={t('{name} as it is written', { name })}>
          <pre>
            <code>{cut(example, MOST_OF_LINE)}</code>
          </pre>
        </section>
      </div>
    </details>
  );
}

function Turns({ turns }: { turns: ReturnType<typeof turnsOf> }) {
  if (turns.length === 0) return <p className="muted">{t('No message: the execution was not recorded.')}</p>;
  return (
    <dl className="stack tight">
      {turns.map(({ who, text }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: turns have no ids, and change as a whole
        <div key={index}>
          <dt className="small muted">{who}</dt>
          <dd dir="auto">
            <p>{cut(text, MOST_OF_TURN)}</p>
          </dd>
        </div>
      ))}
    </dl>
  );
}
