import { useQuery } from '@tanstack/react-query';
import { Section } from '../../ui/page-head.tsx';
import { QueryState } from '../../ui/states.tsx';
import { cut, type Preview, previewOf, turnsOf } from './examples.ts';
import { type ExportQuery, openExport } from './export.ts';
import { counted, type Format, nounOf } from './formats.ts';

const MOST_OF_TURN = 2_000;
const MOST_OF_LINE = 8_000;
const MOST_OF_SUMMARY = 80;

/** The beginning of the file: each example for people, and as it is written. */
export function FirstExamples({ query: asked, total }: { query: ExportQuery; total: number }) {
  const { format } = asked;
  const query = useQuery<Preview>({
    queryKey: ['training preview', asked],
    queryFn: async ({ signal }) => previewOf(await openExport(asked, signal), format),
  });
  const { data } = query;
  const noun = nounOf(format);
  return (
    <Section id="preview" title={`The first ${noun}s`} className="stack">
      <QueryState query={query} height={320} />
      {data?.examples.map((example, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: examples have no ids, and change as a whole
        <Example key={index} number={index + 1} format={format} example={example} />
      ))}
      {data?.isCut && <p className="notice">The next {noun} is too long for a preview. It is in the download.</p>}
      {data && data.examples.length > 0 && (
        <p className="small muted">
          {data.examples.length.toLocaleString()} of {counted(total, noun)}
        </p>
      )}
    </Section>
  );
}

/** The first one is open. */
function Example({ number, format, example }: { number: number; format: Format; example: string }) {
  const turns = turnsOf(example);
  const noun = nounOf(format);
  const name = `${noun === 'line' ? 'Line' : 'Example'} ${number}`;
  const asked = turns.find(({ who }) => who === 'User')?.text ?? turns[0]?.text ?? '';
  return (
    <details className="panel example" open={number === 1}>
      <summary dir="auto">
        <strong>{name}</strong> {cut(asked.replace(/\s+/g, ' '), MOST_OF_SUMMARY).replace(/ … and .*/, ' …')}
      </summary>
      <div className="example-sides">
        <section className="example-side" tabIndex={0} aria-label={`${name} as a conversation`}>
          <Turns turns={turns} />
        </section>
        <section className="example-side" tabIndex={0} aria-label={`${name} as it is written`}>
          <pre>
            <code>{cut(example, MOST_OF_LINE)}</code>
          </pre>
        </section>
      </div>
    </details>
  );
}

function Turns({ turns }: { turns: ReturnType<typeof turnsOf> }) {
  if (turns.length === 0) return <p className="muted">No message: the execution was not recorded.</p>;
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
