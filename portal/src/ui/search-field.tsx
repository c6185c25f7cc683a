import { useEffect, useRef, useState } from 'react';
import { TextField } from './field.tsx';

const PAUSE_MS = 250;

interface SearchFieldProps {
  label: string;
  /** The search in the address. */
  value: string | undefined;
  /** Called after a pause in typing. */
  onSearch(search: string | undefined): void;
}

/** A field that searches while the user types. It follows the address when that changes. */
export function SearchField({ label, value = '', onSearch }: SearchFieldProps) {
  const [text, setText] = useState(value);
  const known = useRef(value);
  useEffect(() => {
    if (value !== known.current) setText(value);
    known.current = value;
  }, [value]);
  const search = useRef(onSearch);
  search.current = onSearch;
  useEffect(() => {
    const wanted = text.trim();
    if (wanted === known.current) return undefined;
    const timer = setTimeout(() => {
      known.current = wanted;
      search.current(wanted === '' ? undefined : wanted);
    }, PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return (
    <search className="search">
      <TextField
        label={label}
        type="search"
        maxLength={200}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
    </search>
  );
}
