/** Settings as people read and write them, and foreign text made harmless. No page and no harness is needed here. */

window.__ModuleLoader__.load({
  id: 'fanseek-dsh',
  chunk: 'client.values.js',
  factory: () => {
    const LONGEST = 300;
    const UNSEEN = /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]+/g;
    const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;

    /** Foreign text for one line: no controls, nothing that turns the direction of writing, of bounded length. */
    function plain(text) {
      const seen = String(text ?? '').replace(UNSEEN, ' ').trim();
      const points = [...seen];
      return points.length > LONGEST ? `${points.slice(0, LONGEST).join('')}…` : seen;
    }

    /** An address a link may have, or undefined. */
    function linkOf(address) {
      try {
        const url = new URL(address);
        return url.protocol === 'https:' || url.protocol === 'http:' ? url.href : undefined;
      } catch {
        return undefined;
      }
    }

    /** Which control a setting gets. */
    function kindOf(shape) {
      if (shape.enum) return 'choice';
      if (shape.type === 'boolean') return 'switch';
      if (shape.type === 'integer' || shape.type === 'number') return 'number';
      return shape.type === 'string' ? 'text' : 'other';
    }

    /** The values to choose from. Of a switch that is spelt in two ways, the words. */
    const choicesOf = (shape) => {
      const words = shape.enum.filter((value) => typeof value === 'string');
      return words.length ? words : shape.enum;
    };

    /** The value that is in force, true and false in the words of a choice. */
    function valueOf(shape, value) {
      const given = value ?? shape.default;
      if (kindOf(shape) !== 'choice' || typeof given !== 'boolean' || choicesOf(shape).includes(given)) return given;
      return given ? 'on' : 'off';
    }

    const rangeOf = ({ minimum: low, maximum: high }, t) => {
      if (low === undefined) return '';
      return high === undefined ? t('rangeLow', { low }) : t('rangeBoth', { low, high });
    };

    const refused = (code, fields) => ({ problem: { code, fields } });

    function numberRead(shape, text, t) {
      const value = Number(text);
      if (!Number.isFinite(value)) return refused('notNumber');
      if (shape.type === 'integer' && !Number.isInteger(value)) return refused('notWhole');
      const { minimum = -Infinity, maximum = Infinity } = shape;
      return value < minimum || value > maximum ? refused('outOfRange', { range: rangeOf(shape, t) }) : { value };
    }

    function textRead(shape, text) {
      if (text.length > (shape.maxLength ?? Infinity)) return refused('tooLong', { most: shape.maxLength });
      if (shape.format === 'uri' && !linkOf(text)) return refused('notUrl');
      if (shape['x-get-key-url'] && !NAME.test(text)) return refused('badForm');
      if (shape.pattern && !new RegExp(shape.pattern, 'u').test(text)) return refused('badForm');
      return { value: text };
    }

    /** What was typed, as `{value}`, `{unset: true}` for the default, or `{problem: {code, fields}}`. */
    function read(shape, typed, t) {
      const text = typed.trim();
      if (text === '') return { unset: true };
      return kindOf(shape) === 'number' ? numberRead(shape, text, t) : textRead(shape, text);
    }

    /** The settings by what they belong to: `general` by group, and `engines` by name with `reference` and `enable`. */
    function arranged(schema) {
      const general = new Map((schema['x-groups'] ?? []).map(({ name }) => [name, []]));
      const engines = new Map();
      for (const [name, shape] of Object.entries(schema.properties)) {
        const engine = shape['x-backend'];
        if (!engine) {
          const group = shape['x-group'] ?? 'results';
          general.set(group, [...(general.get(group) ?? []), name]);
          continue;
        }
        const known = engines.get(engine) ?? { name: engine, others: [] };
        if (shape['x-get-key-url']) known.reference = known.reference ?? name;
        if (choosesUse(shape)) known.enable = known.enable ?? name;
        if (name !== known.enable) known.others.push(name);
        engines.set(engine, known);
      }
      return { general, engines: [...engines.values()] };
    }

    const choosesUse = (shape) => ['auto', 'on', 'off'].every((value) => shape.enum?.includes(value));

    const isName = (text) => NAME.test(text);

    const values = { plain, linkOf, kindOf, choicesOf, valueOf, rangeOf, read, arranged, isName };
    return { values, make: () => ({ values }) };
  },
});
