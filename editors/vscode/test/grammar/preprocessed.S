#include <asm/linkage.h> // a comment
# <------- keyword.control.preprocessor
#        ^^^^^^^^^^^^^^^ string.quoted.other.include
#                        ^^^^^^^^^^^^ comment.line
# define LOAD(reg, at) \
# <------- keyword.control.preprocessor
#        ^^^^ entity.name.function.preprocessor
#                      ^ constant.character.escape.line-continuation
    movq at(%rdi), reg
#           ^^^^ variable.other.register
# if the loop is long, this is a comment
# <- comment.line
#ifdef __x86_64__
# <----- keyword.control.preprocessor
ENTRY(dot)
# <---- entity.name.function.preprocessor
    LOAD(%rax, 8)
#   ^^^^ entity.name.function.preprocessor
#        ^^^^ variable.other.register
# endif /* __x86_64__ */
# <------ keyword.control.preprocessor
#       ^^^^^^^^^^^^^^^^ comment.block
# 12 "dot.S" 2
# <--- keyword.control.preprocessor
#    ^^^^^^^ string.quoted.double
#APP
# <--- comment.line
