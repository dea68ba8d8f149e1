/** A setting as a line of the form. It is stored when it is left or Enter is pressed, a choice at once. */

window.__ModuleLoader__.load({
  id: 'fanseek-dsh',
  chunk: 'client.fields.js',
  factory: () => {
    function make({ React, h, values, service, usePage, Button }) {
      const { plain } = values;

      /** One setting being changed: what was typed, what is wrong with it, and how to store it. */
      function useEdit(name, shape, title) {
        const { t, snapshot, say } = usePage();
        const [typed, setTyped] = React.useState();
        const [problem, setProblem] = React.useState();
        const seen = React.useRef();

        const now = () => ({ value: snapshot.value?.[name], revision: snapshot.revision });
        const begin = () => { seen.current = now(); };
        const drop = () => { setTyped(undefined); setProblem(undefined); };

        async function put(op) {
          const shown = seen.current ?? now();
          let answer;
          try {
            answer = await service.edited(name, op, shown);
          } catch (trouble) {
            answer = { ok: false, why: trouble?.message };
          }
          if (answer.revision !== undefined) seen.current = { value: answer.value ?? answer.now, revision: answer.revision };
          if (answer.ok) {
            drop();
            say(t(op.op === 'unset' ? 'restored' : 'stored', { title }));
            return;
          }
          const shownAs = (value) => (value === undefined ? t('defaultNone') : plain(value));
          const fields = { title, now: shownAs(answer.now ?? shape.default), yours: shownAs(op.value ?? shape.default) };
          const words = answer.conflict ? t('conflict', fields) : t('rejected', { title, why: plain(answer.why) });
          if (answer.conflict) setTyped(undefined);
          setProblem(words);
          say(words);
        }

        function commit() {
          if (typed === undefined) return;
          const { value, unset, problem: wrong } = values.read(shape, typed, t);
          const held = snapshot.value?.[name];
          if (wrong) {
            setProblem(t(wrong.code, wrong.fields));
            say(`${title}: ${t(wrong.code, wrong.fields)}`);
          } else if (value === held || (unset && held === undefined)) drop();
          else put(unset ? { op: 'unset' } : { op: 'set', value });
        }

        const choose = (value) => { begin(); put({ op: 'set', value }); };
        const restore = () => { begin(); put({ op: 'unset' }); };
        return { typed, setTyped, problem, begin, drop, commit, choose, restore };
      }

      function Typed({ id, shape, edit, held, common }) {
        const keys = (event) => {
          if (event.key === 'Enter') edit.commit();
          if (event.key === 'Escape' && edit.typed !== undefined) {
            event.stopPropagation();
            edit.drop();
          }
        };
        return h('input', {
          ...common,
          id,
          type: 'text',
          inputMode: values.kindOf(shape) === 'number' ? 'decimal' : undefined,
          dir: 'auto',
          spellCheck: false,
          autoComplete: 'off',
          placeholder: plain(shape.default),
          value: edit.typed ?? (held === undefined ? '' : String(held)),
          onFocus: edit.begin,
          onChange: (event) => edit.setTyped(event.target.value),
          onBlur: edit.commit,
          onKeyDown: keys,
        });
      }

      function Choice({ id, shape, edit, value, common }) {
        const { t } = usePage();
        const known = values.choicesOf(shape);
        const worded = (choice) => (choice === 'any' ? t('any') : String(choice));
        return h('select', { ...common, id, value: String(value), onChange: (event) => edit.choose(known[event.target.selectedIndex]) },
          known.map((choice) => h('option', { key: String(choice), value: String(choice) }, worded(choice))));
      }

      function Switch({ id, edit, value, common }) {
        const { t } = usePage();
        const flip = () => edit.choose(!value);
        const label = t(value ? 'on' : 'off');
        return h('button', { ...common, id, type: 'button', role: 'switch', 'aria-checked': value === true, title: label, onClick: flip });
      }

      const CONTROLS = { number: Typed, text: Typed, choice: Choice, switch: Switch };

      function hintOf(shape, unit, t) {
        const shown = (value) => (typeof value === 'boolean' ? t(value ? 'on' : 'off') : plain(value) || t('defaultNone'));
        const usual = shape['x-get-key-url'] || shape.default === undefined ? '' : t('default', { value: shown(shape.default) });
        return [values.rangeOf(shape, t), unit, usual].filter(Boolean).join(' · ');
      }

      /** The line of one setting; `title` where another than its own fits better. */
      function Field({ name, title: given }) {
        const { t, words, schema, snapshot, disabled } = usePage();
        const shape = schema.properties[name];
        const { title: own = name, description = '', unit = shape.unit ?? '' } = words.properties?.[name] ?? shape;
        const title = given ?? own;
        const edit = useEdit(name, shape, title);
        const id = React.useId();
        const notes = `${id}notes`;
        const Control = CONTROLS[values.kindOf(shape)];
        const held = snapshot.value?.[name];
        const common = { disabled, 'aria-describedby': notes, 'aria-invalid': edit.problem ? true : undefined };
        const set = snapshot.user?.[name] !== undefined;
        const restore = h(Button, { label: t('resetOf', { title }), disabled, onClick: edit.restore }, t('reset'));
        return h('div', { className: 'fanseek-field', 'data-setting': name },
          h('label', { htmlFor: id }, title),
          h('div', { className: 'fanseek-control' },
            h('div', { className: 'fanseek-row' },
              Control
                ? h(Control, { id, shape, edit, held, value: values.valueOf(shape, held), common })
                : h('output', { id }, t('elsewhere')),
              set ? restore : null)),
          h('div', { className: 'fanseek-notes', id: notes },
            h('p', { className: 'fanseek-quiet' }, description),
            h('p', { className: 'fanseek-quiet' }, hintOf(shape, unit, t)),
            edit.problem ? h('p', { className: 'fanseek-bad' }, h('bdi', null, edit.problem)) : null));
      }

      const Fields = ({ names }) => h('div', { className: 'fanseek-fields' }, names.map((name) => h(Field, { key: name, name })));

      return { Field, Fields };
    }

    return { make };
  },
});
