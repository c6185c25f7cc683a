import { nameOf } from '../../../../src/charts/text.ts';
import { barOf, type Contribution } from './state.ts';
import type { Writer } from './words.ts';

interface ContributionsProps {
  property: string;
  groups: readonly Contribution[];
  /** Of all properties: their bars have one scale. */
  all: readonly Contribution[];
  writer: Writer;
}

/** The groups of a property, ranked, with what each contributes; of a ratio by its own rate and by its weight. */
export function Contributions({ property, groups, all, writer }: ContributionsProps) {
  const isRatio = groups.some(({ rateEffect }) => rateEffect !== undefined);
  const scale = all.flatMap(({ contribution, rateEffect = 0, mixEffect = 0 }) => [contribution, rateEffect, mixEffect]);
  return (
    <section className="panel stack tight contributions" aria-label={`By ${property}`}>
      <h2 dir="auto">By {property}</h2>
      <section className="scroll" tabIndex={0} aria-label={`Groups of ${property}`}>
        <table className="table">
          <thead>
            <tr>
              <th scope="col">Group</th>
              <th scope="col" className="number">
                Before
              </th>
              <th scope="col" className="number">
                Now
              </th>
              <th scope="col">Contribution</th>
              {isRatio && <th scope="col">Of its rate</th>}
              {isRatio && <th scope="col">Of the mix</th>}
            </tr>
          </thead>
          <tbody>
            {groups.map((one) => (
              <tr key={JSON.stringify(one.group)}>
                <th scope="row" dir="auto">
                  {nameOf(one.group)}
                </th>
                <td className="number">{writer.value(one.previous)}</td>
                <td className="number">{writer.value(one.current)}</td>
                <Bar value={one.contribution} scale={scale} writer={writer} />
                {isRatio && <Bar value={one.rateEffect ?? 0} scale={scale} writer={writer} faint />}
                {isRatio && <Bar value={one.mixEffect ?? 0} scale={scale} writer={writer} faint />}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      {isRatio && (
        <p className="small muted">
          Of its rate: what the group’s own rate changed. Of the mix: what the change of its weight did.
        </p>
      )}
    </section>
  );
}

interface BarProps {
  value: number;
  scale: readonly number[];
  writer: Writer;
  faint?: boolean;
}

/** A cell with a number and its bar, which begins at 0. */
function Bar({ value, scale, writer, faint = false }: BarProps) {
  const { start, size, zero } = barOf(value, scale);
  const percent = (share: number) => `${Math.round(share * 1_000) / 10}%`;
  return (
    <td className={faint ? 'bar-cell faint' : 'bar-cell'}>
      <span>{writer.difference(value)}</span>
      <span className="bar" aria-hidden="true">
        <span className="bar-zero" style={{ insetInlineStart: percent(zero) }} />
        <span className="bar-value" style={{ insetInlineStart: percent(start), inlineSize: percent(size) }} />
      </span>
    </td>
  );
}
