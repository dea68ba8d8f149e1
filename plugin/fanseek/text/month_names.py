"""The names of the months, and what people call a day of the week, in some European languages."""

from __future__ import annotations

import unicodedata

_NAMES = """
jan january januar janner janvier janv enero ene janeiro gennaio gen januari января январь янв
feb february februar fevrier fevr fev febrero fevereiro febbraio februari февраля февраль фев февр
mar march marz maerz mars marzo marco maart mrz mrt марта март мар
apr april avril avr abril abr aprile апреля апрель апр
may mai mayo maio maggio mag mei мая май
jun june juni juin junio junho giugno giu июня июнь июн
jul july juli juillet juil julio julho luglio lug июля июль июл
aug august aout agosto ago augustus августа август авг
sep sept september septembre septiembre setiembre setembro set settembre сентября сентябрь сен сент
oct october oktober okt octobre octubre outubro out ottobre ott октября октябрь окт
nov november novembre noviembre novembro ноября ноябрь ноя нояб
dec december dezember dez decembre diciembre dic dezembro dicembre декабря декабрь дек
"""

_MONTHS = {name: number for number, names in enumerate(_NAMES.strip().split("\n"), 1) for name in names.split()}


def month_of(word: str) -> int | None:
    """The number of the month that `word` (lower case, accents or none) names."""
    return _MONTHS.get(plain_letters(word.rstrip(".")))


def plain_letters(word: str) -> str:
    """`word` without accents, so that `février` and `fevrier` are one; й and ё are letters of their own."""
    if word.isascii() or "\u0400" <= word[0] <= "\u04ff":
        return word
    return "".join(sign for sign in unicodedata.normalize("NFKD", word) if not unicodedata.combining(sign))
