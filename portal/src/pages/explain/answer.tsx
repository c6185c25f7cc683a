import type { ReactNode } from 'react';
import { Dates } from '../../../../src/charts/dates.ts';
import { knownLocale } from '../../../../src/charts/locale.ts';
import { groupNameOf } from '../../../../src/charts/text.ts';
import { Notes } from '../../card/notes.tsx';
import { CasesLink } from '../../feed/cases-link.tsx';
import { LOCALE, t } from '../../language/index.ts';
import { Facts } from '../../ui/facts.tsx';
import { Figures } from '../../ui/figures.tsx';
import { Section } from '../../ui/page-head.tsx';
import { Time } from '../../ui/time.tsx';
import { isGood } from '../metrics/words.ts';
import { barOf, byProperty, type Contribution, type Explanation, likeliest } from './state.ts';
import { type ExplainedMetric, type ValueFormatter, valueFormatterOf } from './words.ts';

const SAID_BY_VERDICT = /^(No group stands out from chance|There is nothing to compare)/;

/** The answer: what changed, which groups carry it, and what it rests on. */
export function ExplainedChange({ answer, metric }: { answer: Explanation; metric: ExplainedMetric }) {
  const formatter = valueFormatterOf(metric, LOCALE);
  const properties = byProperty(answer.contributions);
  return (
    <>
      <section className="panel padded stack" aria-labelledby="explained">
        <h2 id="explained" dir="auto">
          {metric.title}
        </h2>
        <Headline answer={answer} metric={metric} formatter={formatter} />
        <Verdict answer={answer} formatter={formatter} />
      </section>
      {properties.map(([property, groups]) => (
        <Contributions
          key={property}
          property={property}
          groups={groups}
          all={answer.contributions}
          formatter={formatter}
        />
      ))}
      <Circumstances answer={answer} formatter={formatter} />
    </>
  );
}

function Headline({
  answer,
  metric,
  formatter,
}: {
  answer: Explanation;
  metric: ExplainedMetric;
  formatter: ValueFormatter;
}) {
  const { current, previous, change, basis } = answer;
  const dates = new Dates(knownLocale(LOCALE), basis.timezone);
  // For values in percent, a ratio of their change would be a second kind of percent.
  const ratio = change !== null && previous && formatter.unit === null ? change / Math.abs(previous) : null;
  const good = change === null ? null : isGood(metric.goodDirection, change);
  const arrow = change === null || change === 0 ? '' : change > 0 ? '▲ ' : '▼ ';
  const figures: [label: string, value: string, aside: ReactNode][] = [
    [t('Now'), formatter.value(current), dates.range(basis)],
    [t('Before'), formatter.value(previous), dates.range({ ...basis, from: basis.previousFrom, to: basis.previousTo })],
    [
      t('Change|a difference'),
      change === null ? '–' : `${arrow}${formatter.difference(Math.abs(change)).replace('+', '')}`,
      <>
        {ratio !== null && `${ratio > 0 ? '+' : ''}${formatter.percent(ratio)}`}
        {good !== null && <span className={good ? 'up' : 'down'}> {good ? t('better') : t('worse')}</span>}
      </>,
    ],
  ];
  return <Figures figures={figures} />;
}

/** The likeliest cause, or that there is none to name. */
function Verdict({ answer, formatter }: { answer: Explanation; formatter: ValueFormatter }) {
  const cause = likeliest(answer);
  if (answer.change === null)
    return <p className="notice">{t('There is nothing to compare: a period has no value.')}</p>;
  if (cause === null) {
    return (
      <p className="notice">
        <strong>{t('No cause to name.')}</strong>{' '}
        {t('No group stands out from chance: the change is common to all groups, or there are too few events.')}
      </p>
    );
  }
  return (
    <p className="notice">
      <span>
        <strong>{t('Likeliest cause:')}</strong>{' '}
        {t.nodes('{property} {group}, which carries {part} of {change}.', {
          property: cause.property,
          group: <strong dir="auto">{groupNameOf(cause.group)}</strong>,
          part: formatter.difference(cause.contribution),
          change: formatter.difference(answer.change),
        })}
      </span>
      <span className="small muted">{t('A group that coincides is not yet the cause: look at its events.')}</span>
    </p>
  );
}

/** Says what else happened, and what the answer rests on. */
function Circumstances({ answer, formatter }: { answer: Explanation; formatter: ValueFormatter }) {
  const { annotations = [], anomalies = [], lookedAt, unexplained, basis } = answer;
  const zone = basis.timezone;
  return (
    <Section id="basis" title={t('What it rests on')}>
      <Facts
        label={t('Basis')}
        facts={{
          [t('Looked at')]: lookedAt.properties.length === 0 ? t('No property') : lookedAt.properties.join(', '),
          [t('Compared')]: t.count(lookedAt.comparisons, '{count} group', '{count} groups'),
          [t('Unexplained')]: formatter.difference(unexplained),
          [t('Events')]: (
            <>
              {basis.matchedEvents.toLocaleString(LOCALE)}
              <CasesLink isInline cases={basis.cases} />
            </>
          ),
          [t('Agent')]: basis.agentId ?? t('All'),
          [t('Segment')]: basis.segment?.name,
          [t('Time zone')]: zone,
        }}
      />
      {annotations.length > 0 && (
        <Happened title={t('What happened in the periods')}>
          {annotations.map(({ at, text }) => (
            <li key={`${at} ${text}`}>
              <Time iso={at} zone={zone} />: <span dir="auto">{text}</span>
            </li>
          ))}
        </Happened>
      )}
      {anomalies.length > 0 && (
        <Happened title={t('Unlike the same times of earlier weeks')}>
          {anomalies.map(({ bucket, value, expected }) => (
            <li key={bucket}>
              <time dateTime={bucket}>{bucketWords(bucket, zone)}</time>:{' '}
              {t('{value}, usually {expected}', { value: formatter.value(value), expected: formatter.value(expected) })}
            </li>
          ))}
        </Happened>
      )}
      <Notes notes={answer.notes.filter((note) => !SAID_BY_VERDICT.test(note))} />
    </Section>
  );
}

function Happened({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="stack tight">
      <h3>{title}</h3>
      <ul className="bullets">{children}</ul>
    </div>
  );
}

/** A day, or an hour of a day. */
function bucketWords(bucket: string, timeZone: string): string {
  const time = /T00:00/.test(bucket) ? {} : ({ timeStyle: 'short' } as const);
  return new Intl.DateTimeFormat(LOCALE, { dateStyle: 'medium', ...time, timeZone }).format(new Date(bucket));
}

interface ContributionsProps {
  property: string;
  groups: readonly Contribution[];
  /** The groups of all properties: their bars have one scale. */
  all: readonly Contribution[];
  formatter: ValueFormatter;
}

/** The groups of a property, ranked, with what each contributes; of a ratio by its own rate and by its weight. */
function Contributions({ property, groups, all, formatter }: ContributionsProps) {
  const isRatio = groups.some(({ rateEffect }) => rateEffect !== undefined);
  const scale = all.flatMap(({ contribution, rateEffect = 0, mixEffect = 0 }) => [contribution, rateEffect, mixEffect]);
  const title = t('By {property}', { property });
  return (
    <section className="panel stack tight contributions" aria-label={title}>
      <h2 dir="auto">{title}</h2>
      <section className="scroll" tabIndex={0} aria-label={t('Groups of {property}', { property })}>
        <table className="table">
          <thead>
            <tr>
              <th scope="col">{t('Group')}</th>
              <td className="bars" />
              <th scope="col" className="number">
                {formatter.unit === null ? t('Contribution') : t('Contribution (points)')}
              </th>
              {isRatio && (
                <>
                  <th scope="col" className="number of-rate">
                    {t('Rate')}
                  </th>
                  <th scope="col" className="number of-mix">
                    {t('Mix')}
                  </th>
                </>
              )}
              <th scope="col" className="number">
                {t('Before')}
              </th>
              <th scope="col" className="number">
                {t('Now')}
              </th>
            </tr>
          </thead>
          <tbody>
            {groups.map((one) => (
              <tr key={JSON.stringify(one.group)}>
                <th scope="row" dir="auto">
                  {groupNameOf(one.group)}
                </th>
                <td className="bars" aria-hidden="true">
                  <Bar value={one.contribution} scale={scale} />
                  {isRatio && <Bar of="rate" value={one.rateEffect ?? 0} scale={scale} />}
                  {isRatio && <Bar of="mix" value={one.mixEffect ?? 0} scale={scale} />}
                </td>
                <td className="number">{formatter.amount(one.contribution)}</td>
                {isRatio && (
                  <>
                    <td className="number">{formatter.amount(one.rateEffect ?? null)}</td>
                    <td className="number">{formatter.amount(one.mixEffect ?? null)}</td>
                  </>
                )}
                <td className="number">{formatter.value(one.previous)}</td>
                <td className="number">{formatter.value(one.current)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      {isRatio && (
        <p className="small muted">
          {t('Of each contribution, rate is what the group’s own rate changed, mix what the change of its weight did.')}
        </p>
      )}
    </section>
  );
}

/** A bar that begins at 0. */
function Bar({ of, value, scale }: { of?: 'rate' | 'mix'; value: number; scale: readonly number[] }) {
  const { start, size, zero } = barOf(value, scale);
  const percent = (share: number) => `${Math.round(share * 1_000) / 10}%`;
  return (
    <span className={of === undefined ? 'bar' : `bar of-${of}`}>
      <span className="bar-zero" style={{ insetInlineStart: percent(zero) }} />
      <span className="bar-value" style={{ insetInlineStart: percent(start), inlineSize: percent(size) }} />
    </span>
  );
}
