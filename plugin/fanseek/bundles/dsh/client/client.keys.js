/**
 * An engine's key. It goes from the field to the harness's store of credentials and nowhere else: the field keeps it out
 * of the page's state, and is emptied before the key is on its way.
 */

window.__ModuleLoader__.load({
  id: 'fanseek-dsh',
  chunk: 'client.keys.js',
  factory: () => {
    function make({ React, h, values, service, usePage, useAsked, Button, Away }) {
      /** What the profile has under `names`, kept up to date: `{value}`, undefined where it keeps no keys. */
      function useKeys(names) {
        const whole = names.join(' ');
        const keys = useAsked(async () => ({ found: await service.described(names) }), [whole]);
        const { again } = keys;
        React.useEffect(() => service.onKeys(() => again()), [again]);
        return keys;
      }

      function stateOf(held, name, required, t) {
        if (!values.isName(name)) return t('keyBadName', { name: values.plain(name) });
        if (!held) return t('keyNoStore', { name });
        if (!held.configured) return [t('keyAbsent', { name }), required ? '' : t('keyOptional')].join(' ');
        const source = `source.${held.source}`;
        const worded = t(source);
        return t('keyThere', { source: worded === source ? values.plain(held.source) : worded });
      }

      /** `keys` is the answer of useKeys. `changed` is called when the store has another key than before. */
      function Key({ engine, name, required, from, keys, changed }) {
        const { t, say, disabled } = usePage();
        const [problem, setProblem] = React.useState();
        const input = React.useRef();
        const id = React.useId();
        const held = keys.value?.found === undefined ? undefined : keys.value.found[name] ?? {};
        const usable = !disabled && held !== undefined && held.writable !== false && values.isName(name);

        async function written(step, done) {
          try {
            await step();
            setProblem(undefined);
            say(t(done, { engine }));
            keys.again();
            changed();
          } catch (trouble) {
            const words = t('keyFailed', { why: values.plain(trouble?.message) });
            setProblem(words);
            say(words);
          }
        }

        function store(event) {
          event.preventDefault();
          const key = input.current.value.trim();
          if (key === '') return;
          if (/\s/.test(key)) {
            setProblem(t('keyUnsuitable'));
            say(t('keyUnsuitable'));
            return;
          }
          input.current.value = '';
          written(() => service.store(name, key), 'keyStored');
        }

        const get = from ? h(Away, { to: from, label: t('getKeyOf', { engine }) }, `${t('getKey')} ↗`) : null;
        return h('div', { className: 'fanseek-field', 'data-key': name },
          h('label', { htmlFor: id }, t('key')),
          h('div', { className: 'fanseek-control' },
            h('form', { className: 'fanseek-row', onSubmit: store },
              h('input', {
                id,
                ref: input,
                type: 'password',
                disabled: !usable,
                autoComplete: 'new-password',
                spellCheck: false,
                placeholder: t('keyPlaceholder'),
                'aria-label': t('keyOf', { engine, name: values.plain(name) }),
                'aria-describedby': `${id}notes`,
                'aria-invalid': problem ? true : undefined,
              }),
              h(Button, { type: 'submit', label: t('keyStoreOf', { engine }), disabled: !usable }, t('keyStore'))),
            h('div', { className: 'fanseek-row' },
              held?.configured && held.source !== 'env' && usable
                ? h(Button, { label: t('keyRemoveOf', { engine }), onClick: () => written(() => service.remove(name), 'keyRemoved') }, t('keyRemove'))
                : null,
              get)),
          h('div', { className: 'fanseek-notes', id: `${id}notes` },
            h('p', { className: 'fanseek-quiet', 'data-key-state': held?.configured ? 'there' : 'absent' },
              h('bdi', null, keys.value || keys.problem ? stateOf(held, name, required, t) : t('loading'))),
            usable ? h('p', { className: 'fanseek-quiet' }, t('keyHint')) : null,
            problem ? h('p', { className: 'fanseek-bad' }, h('bdi', null, problem)) : null));
      }

      return { useKeys, Key };
    }

    return { make };
  },
});
