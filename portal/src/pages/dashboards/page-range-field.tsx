import { useSearch } from '@tanstack/react-router';
import { SelectField, TextField } from '../../ui/field.tsx';
import { useSetSearch } from '../../ui/use-set-search.ts';
import { choiceOf, dateIn, RANGE_CHOICES, searchOf, withEnd } from './page-range.ts';

/** Years that the user is still typing, such as 0020, are earlier and not applied. */
const EARLIEST = '1970-01-01';

/** A range for all cards; the address contains it. */
export function PageRangeField() {
  const search = useSearch({ from: '/shell/' });
  const choose = useSetSearch();
  const choice = choiceOf(search);
  const dateField = (end: 'from' | 'to', label: string) => (
    <TextField
      label={label}
      type="date"
      min={EARLIEST}
      value={dateIn(search[end])}
      onChange={({ currentTarget: { value, validity } }) => {
        if (value !== '' && validity.valid) choose(withEnd(search, end, value));
      }}
    />
  );
  return (
    <div className="range-field">
      <SelectField
        label="Range"
        value={choice}
        options={RANGE_CHOICES}
        onChoose={(next) => choose(searchOf(next, new Date()))}
      />
      {choice === 'custom' && (
        <>
          {dateField('from', 'From')}
          {dateField('to', 'To')}
        </>
      )}
    </div>
  );
}
