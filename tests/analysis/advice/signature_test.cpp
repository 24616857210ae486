#include "analysis/advice/signature.h"

#include "analysis/regions/loop_statements.h"

#include <gtest/gtest.h>

namespace analysis {
namespace {

wire::RunnableFunction signatureOf(const std::string &source) {
  const LoopStatements statements(source, wire::Language::Cxx);
  return signatureAt(source, wire::Language::Cxx, statements.functions(), statements.all().back().keyword);
}

TEST(Signature, NumbersAndArraysOfThem) {
  const auto function = signatureOf("static inline float dot(const float *restrict a, double b[], unsigned n, "
                                    "std::int64_t k, unsigned char *p) { for (;;) ; }");
  EXPECT_EQ(function.refusal, "");
  EXPECT_EQ(function.returns, "float");
  EXPECT_EQ(function.arguments, (std::vector<std::string>{"float*", "double*", "uint32", "int64", "uint8*"}));
}

TEST(Signature, NothingIsReturnedOrTaken) {
  const auto function = signatureOf("void f(void) { for (;;) ; }");
  EXPECT_EQ(function.refusal, "");
  EXPECT_EQ(function.returns, "");
  EXPECT_TRUE(function.arguments.empty());
}

TEST(Signature, WhatIsNoNumberIsRefused) {
  for (const char *head : {"void f(S *p)", "void f(V &v)", "int **f(int n)", "void f(float **p)", "void C::f(int n)",
                           "template <class T> void f(T *p)", "S f(int n)", "void f(float a[4][4])"})
    EXPECT_NE(signatureOf(std::string(head) + " { for (;;) ; }").refusal, "") << head;
}

} // namespace
} // namespace analysis
