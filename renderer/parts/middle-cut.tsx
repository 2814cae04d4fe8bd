import css from './middle-cut.module.css';

/** So many last letters always stay: the ending and a bit of what tells versions apart. */
const tailLength = 12;

/** A long name cut in the middle, the whole in the tooltip; read as a whole by screen readers and when copied. */
export function MiddleCut(props: { readonly text: string }) {
  const letters = Array.from(props.text);
  const tail = letters.length > tailLength * 2 ? letters.slice(-tailLength).join('') : '';
  const head = tail === '' ? props.text : letters.slice(0, -tailLength).join('');
  return (
    <span className={css.name} dir="auto" title={props.text}>
      <span className={css.head}>{head}</span>
      {tail === '' ? null : <span className={css.tail}>{tail}</span>}
    </span>
  );
}
