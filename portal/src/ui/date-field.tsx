import { TextField } from './field.tsx';

/** Years that the user is still typing, such as 0020, are earlier and not applied. */
const EARLIEST = '1970-01-01';

interface DateFieldProps {
  label: string;
  /** Empty: none. */
  value: string;
  /** Is called with whole dates, and with an empty text once the field is cleared. */
  onChoose(date: string): void;
}

export function DateField({ label, value, onChoose }: DateFieldProps) {
  return (
    <TextField
      label={label}
      type="date"
      min={EARLIEST}
      value={value}
      onChange={({ currentTarget: { value: date, validity } }) => {
        if (validity.valid) onChoose(date);
      }}
    />
  );
}
