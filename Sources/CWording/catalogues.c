// Embeds the files of Sources/Wording/Catalogues. C embeds a file in milliseconds; Swift would compile each byte as a number, which takes
// half a minute in total.
#include "CWording.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

static const char en[] = {
#embed "../Wording/Catalogues/en.txt" suffix(, )
    0};
static const char zh_Hans[] = {
#embed "../Wording/Catalogues/zh-Hans.txt" suffix(, )
    0};
static const char ja[] = {
#embed "../Wording/Catalogues/ja.txt" suffix(, )
    0};
static const char ru[] = {
#embed "../Wording/Catalogues/ru.txt" suffix(, )
    0};

const char *catalogue_en(void) { return en; }
const char *catalogue_zh_Hans(void) { return zh_Hans; }
const char *catalogue_ja(void) { return ja; }
const char *catalogue_ru(void) { return ru; }
