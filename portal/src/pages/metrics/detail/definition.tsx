import type { ReactNode } from 'react';
import type { Metric } from '../../../api/metrics.ts';
import { type Fact, Facts } from '../../../ui/facts.tsx';
import { Time } from '../../../ui/time.tsx';
import { isInPercent } from '../format.ts';
import { DIRECTIONS, isFormula, measureInWords } from '../words.ts';

/** The definition in words and as a formula. */
export function Definition({ metric }: { metric: Metric }) {
  const { description, version, synonyms = [], unit, owner, goodDirection, createdBy, createdAt } = metric;
  const facts: Fact[] = [
    ['Measures', <Measured key="measured" formula={metric.formula} />],
    ['Good', DIRECTIONS.find(({ value }) => value === goodDirection)?.label],
    ...(unit === undefined ? [] : [['Unit', unit] as const]),
    ['Written', writtenAs(metric)],
    ['Also called', synonyms.length === 0 ? 'No synonyms' : synonyms.join(', ')],
    ['Owner', owner ?? 'Nobody named'],
    [
      'Version',
      <>
        {version}, proposed by {createdBy} on <Time iso={createdAt} />
      </>,
    ],
    ...(metric.decidedBy !== null && metric.decidedAt !== null
      ? [decided(metric.decidedBy, metric.decidedAt, metric)]
      : []),
  ];
  return (
    <section className="panel padded stack" aria-labelledby="definition">
      <h2 id="definition">Definition</h2>
      <p className="prose-text">{description ?? <span className="muted">It has no description.</span>}</p>
      <Facts label="Definition" facts={facts} />
    </section>
  );
}

function decided(by: string, at: string, { state }: Metric): Fact {
  return [
    state === 'approved' ? 'Approved' : 'Deprecated',
    <>
      by {by} on <Time iso={at} />
    </>,
  ];
}

function Measured({ formula }: Pick<Metric, 'formula'>): ReactNode {
  if (!isFormula(formula)) return measureInWords(formula);
  return (
    <div className="stack tight">
      <code>{formula.expression}</code>
      <ul className="bullets">
        {Object.entries(formula.parts).map(([part, measure]) => (
          <li key={part}>
            <code>{part}</code>: {measureInWords(measure)}
          </li>
        ))}
      </ul>
    </div>
  );
}

/** "In percent, 1 decimal" */
function writtenAs(metric: Metric): string {
  const { prefix, suffix, decimals } = metric.format ?? {};
  const words = [
    isInPercent(metric) ? 'in percent' : 'as a number',
    ...(prefix === undefined ? [] : [`“${prefix}” before it`]),
    ...(suffix === undefined ? [] : [`“${suffix}” after it`]),
    ...(decimals === undefined ? [] : [`${decimals} ${decimals === 1 ? 'decimal' : 'decimals'}`]),
  ].join(', ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
