"""The words of relative ages, in English, Chinese, Japanese, Korean and some European languages."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

from fanseek.types import Precision

T = TypeVar("T")


def _by_word(listed: Mapping[T, str]) -> dict[str, T]:
    """What each word or phrase stands for; commas part them."""
    return {word.strip(): meaning for meaning, words in listed.items() for word in words.split(",")}


UNITS: dict[str, Precision] = _by_word(
    {
        "second": "s,sec,secs,second,seconds,sek,sekunde,sekunden,seconde,secondes,segundo,segundos,secondo,secondi,"
        "seg,seconden,секунд,секунды,секунду,сек",
        "minute": "m,min,mins,minute,minutes,minuten,minuto,minutos,minuti,minuut,минут,минуты,минуту,мин",
        "hour": "h,hr,hrs,hour,hours,std,stunde,stunden,heure,heures,hora,horas,ora,ore,uur,uren,час,часа,часов,ч",
        "day": "d,day,days,tag,tage,tagen,jour,jours,dia,dias,giorno,giorni,dag,dagen,день,дня,дней,дн",
        "week": "w,wk,wks,week,weeks,woche,wochen,semaine,semaines,sem,semana,semanas,settimana,settimane,weken,неделю,"
        "недели,недель,нед",
        "month": "mo,mos,month,months,monat,monate,monaten,mois,mes,meses,mese,mesi,maand,maanden,месяц,месяца,месяцев",
        "year": "y,yr,yrs,year,years,jahr,jahre,jahren,an,ans,annee,annees,ano,anos,anno,anni,jaar,jaren,год,года,лет",
    }
)

COUNTS: dict[str, int] = _by_word(
    {
        1: "a,an,one,ein,eine,einem,einen,einer,un,une,una,uno,um,uma,een,один,одну,одна",
        2: "two,zwei,deux,dos,dois,duas,due,twee,два,две",
        3: "three,drei,trois,tres,tre,drie,три",
        4: "four,vier,quatre,cuatro,quatro,quattro,четыре",
        5: "five,funf,cinq,cinco,cinque,vijf,пять",
        6: "six,sechs,seis,sei,zes,шесть",
        7: "seven,sieben,sept,siete,sete,sette,zeven,семь",
        8: "eight,acht,huit,ocho,oito,otto,восемь",
        9: "nine,neun,neuf,nueve,nove,negen,девять",
        10: "ten,zehn,dix,diez,dez,dieci,tien,десять",
    }
)

BEFORE = ("vor", "il y a", "hace", "ha")
BEHIND = ("ago", "fa", "atras", "geleden", "назад", "back", "old")

DAYS_BACK: dict[str, int] = _by_word(
    {
        0: "today,heute,aujourd'hui,hoy,hoje,oggi,vandaag,сегодня,今天,今日,本日,きょう,오늘",
        1: "yesterday,gestern,hier,ayer,ontem,ieri,gisteren,вчера,昨天,昨日,きのう,어제,하루 전",
        2: "the day before yesterday,day before yesterday,vorgestern,avant-hier,anteayer,anteontem,l'altro ieri,"
        "eergisteren,позавчера,前天,前日,一昨日,おととい,그저께,그제,엊그제,이틀 전",
        3: "大前天,사흘 전",
    }
)
"""Days by name, counted back from today."""

LAST: dict[str, Precision] = _by_word(
    {
        "week": "last week,letzte woche,la semaine derniere,la semana pasada,上周,上週,上个星期,上星期,先週,지난주",
        "month": "last month,letzten monat,le mois dernier,el mes pasado,上个月,上個月,上月,先月,지난달",
        "year": "last year,letztes jahr,l'annee derniere,el ano pasado,去年,昨年,작년,지난해",
    }
)
"""The week, month or year before this one."""

NOW = frozenset(
    _by_word(
        {
            0: "now,just now,a moment ago,moments ago,seconds ago,a few seconds ago,less than a minute ago,"
            "gerade eben,jetzt,a l'instant,ahora,ahora mismo,agora,"
            "agora mesmo,ora,adesso,poco fa,zojuist,сейчас,только что,刚刚,剛剛,刚才,剛才,たった今,방금,방금 전,지금"
        }
    )
)

CJK_UNITS: dict[str, Precision] = _by_word(
    {
        "second": "秒钟,秒鐘,秒,초",
        "minute": "分钟,分鐘,分間,分,분",
        "hour": "个小时,個小時,小时,小時,个钟头,時間,시간",
        "day": "天,日間,日,일",
        "week": "个星期,個星期,个礼拜,星期,礼拜,週間,周,週,주일,주",
        "month": "个月,個月,か月,ヶ月,ケ月,ヵ月,カ月,箇月,月,개월,달",
        "year": "年間,年,년",
    }
)

CJK_COUNTS: dict[str, int] = _by_word(
    {0: "\u3007,零", 1: "一,한", 2: "二,两,兩,두", 3: "三,세", 4: "四,네", 5: "五", 6: "六", 7: "七", 8: "八", 9: "九"}
)
