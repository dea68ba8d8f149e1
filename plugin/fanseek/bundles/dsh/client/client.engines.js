/** Each engine: whether it is asked, how it fares, its key, a test, the rest of its settings. */

window.__ModuleLoader__.load({
  id: 'fanseek-dsh',
  chunk: 'client.engines.js',
  factory: () => {
    const LONGEST_WAIT_MS = 2 ** 31 - 1;

    function make({ React, h, values, service, usePage, useAsked, useKeys, Foreign, filled, Button, Trouble, Field, Fields, Key }) {
      const shownTime = (moment, lang) => {
        const time = new Date(moment);
        if (Number.isNaN(time.valueOf())) return values.plain(moment);
        const near = Math.abs(time - Date.now()) < 12 * 3600e3;
        return near ? time.toLocaleTimeString(lang) : time.toLocaleString(lang);
      };

      function State({ row }) {
        const { t, lang } = usePage();
        const state = row?.state ?? 'unknown';
        const code = `state.${state}`;
        const said = t(code, { until: row?.coolingUntil ? shownTime(row.coolingUntil, lang) : '' });
        return h('span', { className: 'fanseek-state', 'data-state': state }, said === code ? values.plain(state) : said);
      }

      /** A test of one engine: `{busy, answer, run}`, where `answer` is its outcome in words. */
      function useTest(engine, done) {
        const { t, lang } = usePage();
        const [busy, setBusy] = React.useState(false);
        const [answer, setAnswer] = React.useState();
        async function run() {
          if (busy) return;
          setBusy(true);
          setAnswer(undefined);
          try {
            const { ok, message } = await service.test(engine, lang);
            setAnswer({ ok, message: values.plain(message) });
          } catch (trouble) {
            setAnswer({ ok: false, message: t('testFailed', { why: values.plain(trouble?.message) }) });
          }
          setBusy(false);
          done();
        }
        return { busy, answer, run };
      }

      function Engine({ engine, row, keys, again }) {
        const { t, schema, snapshot } = usePage();
        const { name, enable, reference, others } = engine;
        const { busy, answer, run } = useTest(name, again);
        const id = React.useId();
        const from = reference && schema.properties[reference]['x-get-key-url'];
        const keyName = reference && String(snapshot.value?.[reference] ?? schema.properties[reference].default);
        const result = busy ? t('testing') : answer?.message;
        const test = { label: t('testEngine', { engine: name }), 'aria-disabled': busy, onClick: run };
        return h('section', { className: 'fanseek-card', 'aria-labelledby': id, 'data-engine': name },
          h('div', { className: 'fanseek-line' },
            h('h4', { id }, h(Foreign, { text: name })),
            h(State, { row }),
            h(Button, test, t('test'))),
          row?.receives ? h('p', { className: 'fanseek-quiet' }, filled(t('receives', { who: '{who}' }), { who: h(Foreign, { text: row.receives }) })) : null,
          row?.lastError ? h('p', { className: 'fanseek-bad', 'data-last-error': true },
            filled(t('lastError', { message: '{message}' }), { message: h(Foreign, { text: row.lastError.message }) })) : null,
          h('p', { role: 'status', className: answer?.ok === false ? 'fanseek-bad' : undefined, 'data-test-result': true },
            result ? h('bdi', { dir: 'auto' }, result) : null),
          enable ? h(Field, { name: enable }) : null,
          reference ? h(Key, { engine: name, name: keyName, required: row?.needsKey === true, from, keys, changed: again }) : null,
          others.length ? h('details', null,
            h('summary', null, t('more', { engine: name })),
            h(Fields, { names: others })) : null);
      }

      /** The state of all engines: asked anew when a setting changes, and when the next of them has cooled down. */
      function useStatus() {
        const { lang, snapshot } = usePage();
        const status = useAsked(() => service.status(lang), [lang, snapshot.revision]);
        const { value, again } = status;
        React.useEffect(() => {
          const ends = (value?.backends ?? []).map(({ coolingUntil }) => Date.parse(coolingUntil) - Date.now()).filter((wait) => wait > 0);
          if (!ends.length) return undefined;
          const timer = setTimeout(again, Math.min(Math.min(...ends) + 500, LONGEST_WAIT_MS));
          return () => clearTimeout(timer);
        }, [value, again]);
        return status;
      }

      function Engines({ engines }) {
        const { t, schema, snapshot } = usePage();
        const status = useStatus();
        const names = engines.filter(({ reference }) => reference)
          .map(({ reference }) => String(snapshot.value?.[reference] ?? schema.properties[reference].default))
          .filter(values.isName);
        const keys = useKeys([...new Set(names)]);
        const rows = new Map((status.value?.backends ?? []).map((row) => [row.id, row]));
        const id = React.useId();
        return h('section', { 'aria-labelledby': id },
          h('div', { className: 'fanseek-line' },
            h('h3', { id }, t('engines')),
            h(Button, { onClick: () => { status.again(); keys.again(); } }, t('refresh'))),
          status.problem ? h(Trouble, { code: 'statusFailed', why: status.problem, again: status.again }) : null,
          engines.map((engine) => h(Engine, { key: engine.name, engine, row: rows.get(engine.name), keys, again: status.again })));
      }

      return { Engines };
    }

    return { make };
  },
});
