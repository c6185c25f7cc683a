import type { ReactNode } from 'react';
import { t } from '../../language/index.ts';
import type { CardType } from './state.ts';

interface TypeOption {
  type: CardType;
  name: string;
  use: string;
  picture: ReactNode;
}

/** Each is drawn in a box of 64 by 36. */
const TYPES: readonly TypeOption[] = [
  {
    type: 'number',
    name: t('Number'),
    use: t('One value, such as orders this week.'),
    picture: (
      <>
        <text x="4" y="24" fontSize="22" fontWeight="650" fill="currentColor">
          42
        </text>
        <path d="M38 22l6-8 6 8" className="accent" />
        <path d="M4 32h40" className="faint" />
      </>
    ),
  },
  {
    type: 'rate',
    name: t('Rate'),
    use: t('A share, such as resolved of all.'),
    picture: (
      <>
        <circle cx="12" cy="11" r="6" className="accent" />
        <circle cx="36" cy="26" r="6" />
        <path d="M36 5L12 32" />
      </>
    ),
  },
  {
    type: 'line',
    name: t('Line'),
    use: t('How something changes over time.'),
    picture: (
      <>
        <path d="M4 32h56" className="faint" />
        <path d="M4 26l12-8 12 5 14-15 18 8" className="accent" />
      </>
    ),
  },
  {
    type: 'bar',
    name: t('Bars'),
    use: t('Compare groups, or periods.'),
    picture: (
      <>
        <path d="M4 33h56" className="faint" />
        <path d="M12 31V19M26 31V7M40 31V13M54 31V23" className="accent wide" />
      </>
    ),
  },
  {
    type: 'pie',
    name: t('Pie'),
    use: t('Parts of a whole, if they are few.'),
    picture: (
      <>
        <circle cx="32" cy="18" r="14" />
        <path d="M32 18V4a14 14 0 0 1 13 19z" className="solid" />
      </>
    ),
  },
  {
    type: 'table',
    name: t('Table'),
    use: t('Rows of events, or of groups.'),
    picture: (
      <>
        <path d="M6 4h52v28H6z" />
        <path d="M6 12h52" className="accent" />
        <path d="M6 22h52M24 4v28" className="faint" />
      </>
    ),
  },
  {
    type: 'funnel',
    name: t('Funnel'),
    use: t('How many reach each step.'),
    picture: <path d="M4 7h56M4 17h40M4 27h22" className="accent wide" />,
  },
  {
    type: 'gauge',
    name: t('Gauge'),
    use: t('A value against a target.'),
    picture: (
      <>
        <path d="M10 31a22 22 0 0 1 44 0" className="faint thick" />
        <path d="M10 31a22 22 0 0 1 33-19" className="accent thick" />
      </>
    ),
  },
];

interface TypeChoiceProps {
  value: CardType;
  disabled: boolean;
  onChoose(type: CardType): void;
}

export function TypeChoice({ value, disabled, onChoose }: TypeChoiceProps) {
  return (
    <fieldset className="card-types" disabled={disabled}>
      <legend className="visually-hidden">{t('Type')}</legend>
      {TYPES.map(({ type, name, use, picture }) => (
        <label key={type} className="card-type">
          <input type="radio" name="cardType" value={type} checked={value === type} onChange={() => onChoose(type)} />
          <svg viewBox="0 0 64 36" aria-hidden="true" focusable="false">
            {picture}
          </svg>
          <span id={`type-${type}`} className="card-type-name">
            {name}
          </span>
          <span id={`type-${type}-use`} className="card-type-use">
            {use}
          </span>
        </label>
      ))}
    </fieldset>
  );
}
